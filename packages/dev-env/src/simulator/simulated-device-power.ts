/** The lives of a simulated device: it is switched on, restarts with another version, and loses its power. */
import { startDevice } from '@gatehouse/terminal/device/device'
import { createUpgradeAgent } from '@gatehouse/terminal/upgrade/agent'
import type { SimulatedDeviceParts } from './simulated-device-types.ts'

export interface Power {
  /** Switch the device on; without effect while it is on or restarting. */
  powerOn(): void
  /** End a life whose store has lost its power. */
  dropped(): void
  cutPower(): void
}

export function createPower(parts: SimulatedDeviceParts): Power {
  const { options, clock, store, line, installation } = parts

  function powerOn(): void {
    if (parts.device !== null || parts.restarting) return
    if (parts.lineIsUp) line?.up()
    const { secret, modelId, embed, retry, resendAfter, random, log, onChange } = options
    const operateDoor = async () => ({ isSuccess: true, errorType: null })
    const started = startDevice({
      server: line?.url ?? options.server,
      code: options.code,
      secret,
      modelId,
      embed,
      retry,
      resendAfter,
      random,
      log,
      onChange,
      operateDoor,
      commands: { upgrade: (argument) => agent.command(argument) },
      facts: () => (installation.algorithmVersion() === '' ? {} : { algorithmVersion: installation.algorithmVersion() }),
      version: installation.version(),
      clock: () => clock.now(),
      store: store.powerOn(),
    })
    const agent = createUpgradeAgent({
      place: installation.place(restart),
      client: started.client,
      isOnline: started.isOnline,
      hour: () => new Date(clock.now()).getUTCHours(),
      log: log ?? (() => {}),
      onChange: onChange ?? (() => {}),
      ...(retry && { retry }),
      ...(random && { random }),
    })
    parts.device = started
    parts.upgrades = agent
  }

  /** End, and start again with the version that is installed now. */
  function restart(): void {
    if (parts.device === null || parts.upgrades === null) return
    parts.restarting = true
    const end: Promise<void> = Promise.all([parts.upgrades.stop(), parts.device.stop()])
      .catch(() => {})
      .then(() => {
        parts.ending.delete(end)
        parts.restarting = false
        if (!parts.stopped) powerOn()
      })
    parts.ending.add(end)
    parts.device = null
    parts.upgrades = null
  }

  /** End a device without power, which has no line to say goodbye over. */
  function dropped(): void {
    if (parts.device === null || line === null) return
    line.down()
    const end = Promise.all([parts.upgrades?.stop(), parts.device.stop()]).then(
      () => {},
      () => {},
    )
    parts.ending.add(end)
    void end.finally(() => parts.ending.delete(end))
    parts.device = null
    parts.upgrades = null
    options.onChange?.()
  }

  function cutPower(): void {
    store.powerCut()
    dropped()
  }

  return { powerOn, dropped, cutPower }
}
