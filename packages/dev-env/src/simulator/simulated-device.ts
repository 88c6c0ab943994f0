/**
 * A device without engine, camera and door, which speaks the device protocol with the same code as a terminal. It can lose its power, its
 * line and the correct time, and starts again with the content of its store.
 */
import type { SecondVerification } from '@gatehouse/access-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { Device } from '@gatehouse/terminal/device/device'
import { createDeviceClock } from './clock.ts'
import { openLine } from './line.ts'
import { passageOf, type Visitor } from './passage.ts'
import { createPower } from './simulated-device-power.ts'
import type { SimulatedDevice, SimulatedDeviceOptions, SimulatedDeviceParts } from './simulated-device-types.ts'
import { createSimulatedStore } from './store.ts'
import { createSimulatedInstallation } from './upgrades.ts'

export type { SimulatedDevice, SimulatedDeviceOptions } from './simulated-device-types.ts'

/** Firmware version that it reports by default. */
const SIMULATED_VERSION = 'simulated'

/** Return the server's decision, where the server decides. */
async function confirmation(device: Device, visitor: Visitor, awaited: { method: number; timeoutMs: number }): Promise<SecondVerification> {
  const body = { personId: visitor.personId!, moment: visitor.moment, method: awaited.method, score: visitor.score }
  try {
    const {
      allowed,
      failReason,
      restriction = null,
    } = await device.client.request(deviceProtocolCalls.verify, { body }, { timeout: awaited.timeoutMs })
    return allowed ? { outcome: 'confirmed' } : { outcome: 'refused', failReason, restriction }
  } catch {
    return { outcome: 'offline' }
  }
}

/** Start a device. It connects by itself and keeps trying. */
export async function startSimulatedDevice(options: SimulatedDeviceOptions): Promise<SimulatedDevice> {
  const { code, clock = createDeviceClock() } = options
  const store = createSimulatedStore(options.store)
  const line = options.line === undefined ? null : await openLine(options.server, options.line)
  const installation = createSimulatedInstallation(options.version ?? SIMULATED_VERSION)
  const parts: SimulatedDeviceParts = {
    options,
    clock,
    store,
    line,
    installation,
    ending: new Set(),
    device: null,
    upgrades: null,
    lineIsUp: true,
    restarting: false,
    stopped: false,
  }
  const { powerOn, dropped, cutPower } = createPower(parts)

  powerOn()
  return {
    code,
    store,
    clock,
    installation,
    running: () => parts.device,
    state: () => parts.device?.state() ?? null,
    async pass(visitor, picture) {
      const hasPicture = picture !== undefined
      const { holdings } = store.disk
      let passage = parts.device && passageOf(holdings, visitor, { hasPicture })
      const awaits = passage?.decision.awaits
      if (awaits?.what === 'secondVerification') {
        const secondVerification = await confirmation(parts.device!, visitor, awaits)
        passage = passageOf(holdings, visitor, { hasPicture, secondVerification })
      }
      const queued = passage && parts.device ? parts.device.appendRecord(passage.record) : null
      if (queued && picture) parts.device?.addPicture(queued.id, picture)
      return queued
    },
    append: (record) => parts.device?.appendRecord(record) ?? null,
    addPicture: (recordId, picture) => void parts.device?.addPicture(recordId, picture),
    powerCut(moment) {
      if (parts.device === null || line === null) return
      if (moment !== undefined) return store.powerCutInNextWrite(moment, dropped)
      cutPower()
    },
    powerOn() {
      if (store.awaitsCut()) cutPower()
      powerOn()
    },
    lineDown() {
      parts.lineIsUp = false
      line?.down()
    },
    lineUp() {
      parts.lineIsUp = true
      if (parts.device !== null) line?.up()
    },
    async stop() {
      parts.stopped = true
      await parts.upgrades?.stop()
      await parts.device?.stop()
      parts.device = null
      await line?.stop()
      await Promise.all(parts.ending)
    },
  }
}
