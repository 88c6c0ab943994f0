/**
 * A device that has no engine, no camera and no door, and speaks the device protocol as a terminal does, by the same
 * code. It can lose its power, its line and its sense of time, and begins again with what its store had.
 */
import type { SecondVerification } from '@gatehouse/access-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { startDevice, type Device, type DeviceOptions, type DeviceState } from '@gatehouse/terminal/device/device'
import type { QueuedRecord } from '@gatehouse/terminal/device/store'
import { createUpgradeAgent, type UpgradeAgent } from '@gatehouse/terminal/upgrade/agent'
import { createDeviceClock, type DeviceClock } from './clock.ts'
import type { CutMoment } from './journal.ts'
import { openLine, type Line, type LineQuality } from './line.ts'
import { passageOf, type UnnumberedRecord, type Visitor } from './passage.ts'
import { createSimulatedStore, type SimulatedStore, type SimulatedStoreOptions } from './store.ts'
import { createSimulatedInstallation, type SimulatedInstallation } from './upgrades.ts'

export interface SimulatedDeviceOptions extends Pick<
  DeviceOptions,
  'code' | 'secret' | 'modelId' | 'embed' | 'retry' | 'resendAfter' | 'random' | 'log'
> {
  server: string
  store: SimulatedStoreOptions
  clock?: DeviceClock
  /** A line of its own between it and the server; without one it cannot lose it, nor its power. */
  line?: LineQuality
  /** Firmware it begins with; digits let the server tell what is newer. */
  version?: string
  /** Something of `state` changed. */
  onChange?: () => void
}

export interface SimulatedDevice {
  readonly code: string
  readonly store: SimulatedStore
  readonly clock: DeviceClock
  readonly installation: SimulatedInstallation
  /** Null while it has no power. */
  running(): Device | null
  state(): DeviceState | null
  /** Decides about a visitor and keeps the record. @returns null when none could be made; @throws OutboxFull, PowerCut */
  pass(visitor: Visitor, picture?: Uint8Array): Promise<QueuedRecord | null>
  /** Keeps a record that was decided elsewhere. @returns null before the first pairing */
  append(record: UnnumberedRecord): QueuedRecord | null
  addPicture(recordId: string, picture: Uint8Array): void
  /** The power goes without a goodbye, at once or in the middle of the next write. */
  powerCut(moment?: CutMoment): void
  /** Switches it on again; nothing happens when it is on. A cut that was to come in the next write comes before, where nothing was written since. */
  powerOn(): void
  lineDown(): void
  lineUp(): void
  /** Says goodbye and ends. */
  stop(): Promise<void>
}

/** What firmware it says it has unless told. */
const SIMULATED_VERSION = 'simulated'

/** Starts one; it connects on its own and keeps trying. */
export async function startSimulatedDevice(options: SimulatedDeviceOptions): Promise<SimulatedDevice> {
  const { code, clock = createDeviceClock() } = options
  const store = createSimulatedStore(options.store)
  const line: Line | null = options.line === undefined ? null : await openLine(options.server, options.line)
  /** Lives that have ended without a goodbye and may still be finding out. */
  const ending = new Set<Promise<void>>()
  const installation = createSimulatedInstallation(options.version ?? SIMULATED_VERSION)
  let device: Device | null = null
  let upgrades: UpgradeAgent | null = null
  let lineIsUp = true
  /** Between the end of one version and the start of the next. */
  let restarting = false
  let stopped = false

  function powerOn(): void {
    if (device !== null || restarting) return
    if (lineIsUp) line?.up()
    const { secret, modelId, embed, retry, resendAfter, random, log, onChange } = options
    const operateDoor = async () => ({ isSuccess: true, errorType: null })
    const started = startDevice({
      server: line?.url ?? options.server,
      code,
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
    device = started
    upgrades = agent
  }

  /** Ends, and begins again with what it runs by now. */
  function restart(): void {
    if (device === null || upgrades === null) return
    restarting = true
    const end: Promise<void> = Promise.all([upgrades.stop(), device.stop()])
      .catch(() => {})
      .then(() => {
        ending.delete(end)
        restarting = false
        if (!stopped) powerOn()
      })
    ending.add(end)
    device = null
    upgrades = null
  }

  /** What is left of a device without power has no line to say goodbye over. */
  function dropped(): void {
    if (device === null || line === null) return
    line.down()
    const end = Promise.all([upgrades?.stop(), device.stop()]).then(
      () => {},
      () => {},
    )
    ending.add(end)
    void end.finally(() => ending.delete(end))
    device = null
    upgrades = null
    options.onChange?.()
  }

  function cutPower(): void {
    store.powerCut()
    dropped()
  }

  /** The server's word where it has the last one. */
  async function confirmation(visitor: Visitor, awaited: { method: number; timeoutMs: number }): Promise<SecondVerification> {
    const body = { personId: visitor.personId!, moment: visitor.moment, method: awaited.method, score: visitor.score }
    try {
      const {
        allowed,
        failReason,
        restriction = null,
      } = await device!.client.request(deviceProtocolCalls.verify, { body }, { timeout: awaited.timeoutMs })
      return allowed ? { outcome: 'confirmed' } : { outcome: 'refused', failReason, restriction }
    } catch {
      return { outcome: 'offline' }
    }
  }

  powerOn()
  return {
    code,
    store,
    clock,
    installation,
    running: () => device,
    state: () => device?.state() ?? null,
    async pass(visitor, picture) {
      const hasPicture = picture !== undefined
      const { holdings } = store.disk
      let passage = device && passageOf(holdings, visitor, { hasPicture })
      const awaits = passage?.decision.awaits
      if (awaits?.what === 'secondVerification') {
        const secondVerification = await confirmation(visitor, awaits)
        passage = passageOf(holdings, visitor, { hasPicture, secondVerification })
      }
      const queued = passage && device ? device.appendRecord(passage.record) : null
      if (queued && picture) device?.addPicture(queued.id, picture)
      return queued
    },
    append: (record) => device?.appendRecord(record) ?? null,
    addPicture: (recordId, picture) => void device?.addPicture(recordId, picture),
    powerCut(moment) {
      if (device === null || line === null) return
      if (moment !== undefined) return store.powerCutInNextWrite(moment, dropped)
      cutPower()
    },
    powerOn() {
      if (store.awaitsCut()) cutPower()
      powerOn()
    },
    lineDown() {
      lineIsUp = false
      line?.down()
    },
    lineUp() {
      lineIsUp = true
      if (device !== null) line?.up()
    },
    async stop() {
      stopped = true
      await upgrades?.stop()
      await device?.stop()
      device = null
      await line?.stop()
      await Promise.all(ending)
    },
  }
}
