/**
 * A device that has no engine, no camera and no door, and speaks the device protocol as a terminal does, by the same
 * code. It can lose its power, its line and its sense of time, and begins again with what its store had.
 */
import type { SecondVerification } from '@gatehouse/access-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { startDevice, type Device, type DeviceOptions, type DeviceState } from '@gatehouse/terminal/device/device'
import type { QueuedRecord } from '@gatehouse/terminal/device/store'
import { createDeviceClock, type DeviceClock } from './clock.ts'
import type { CutMoment } from './journal.ts'
import { openLine, type Line, type LineQuality } from './line.ts'
import { passageOf, type UnnumberedRecord, type Visitor } from './passage.ts'
import { createSimulatedStore, type SimulatedStore, type SimulatedStoreOptions } from './store.ts'

export interface SimulatedDeviceOptions extends Pick<DeviceOptions, 'code' | 'secret' | 'modelId' | 'embed' | 'retry' | 'resendAfter' | 'random' | 'log'> {
  server: string
  store: SimulatedStoreOptions
  clock?: DeviceClock
  /** A line of its own between it and the server; without one it cannot lose it, nor its power. */
  line?: LineQuality
  /** Something of `state` changed. */
  onChange?: () => void
}

export interface SimulatedDevice {
  readonly code: string
  readonly store: SimulatedStore
  readonly clock: DeviceClock
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
  /** Switches it on again; nothing happens when it is on. */
  powerOn(): void
  lineDown(): void
  lineUp(): void
  /** Says goodbye and ends. */
  stop(): Promise<void>
}

/** What firmware it says it has. */
const SIMULATED_VERSION = 'simulated'

/** Starts one; it connects on its own and keeps trying. */
export async function startSimulatedDevice(options: SimulatedDeviceOptions): Promise<SimulatedDevice> {
  const { code, clock = createDeviceClock() } = options
  const store = createSimulatedStore(options.store)
  const line: Line | null = options.line === undefined ? null : await openLine(options.server, options.line)
  /** Lives that have ended without a goodbye and may still be finding out. */
  const ending = new Set<Promise<void>>()
  let device: Device | null = null
  let lineIsUp = true

  function powerOn(): void {
    if (device !== null) return
    if (lineIsUp) line?.up()
    const { secret, modelId, embed, retry, resendAfter, random, log, onChange } = options
    const operateDoor = async () => ({ isSuccess: true, errorType: null })
    device = startDevice({ server: line?.url ?? options.server, code, secret, modelId, embed, retry, resendAfter, random, log, onChange, operateDoor, version: SIMULATED_VERSION, clock: () => clock.now(), store: store.powerOn() })
  }

  /** What is left of a device without power has no line to say goodbye over. */
  function dropped(): void {
    if (device === null || line === null) return
    line.down()
    const end = device.stop().catch(() => {})
    ending.add(end)
    void end.finally(() => ending.delete(end))
    device = null
    options.onChange?.()
  }

  /** The server's word where it has the last one. */
  async function confirmation(visitor: Visitor, awaited: { method: number; timeoutMs: number }): Promise<SecondVerification> {
    const body = { personId: visitor.personId!, moment: visitor.moment, method: awaited.method, score: visitor.score }
    try {
      const { allowed, failReason } = await device!.client.request(deviceProtocolCalls.verify, { body }, { timeout: awaited.timeoutMs })
      return allowed ? { outcome: 'confirmed' } : { outcome: 'refused', failReason }
    } catch {
      return { outcome: 'offline' }
    }
  }

  powerOn()
  return {
    code,
    store,
    clock,
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
      store.powerCut()
      dropped()
    },
    powerOn,
    lineDown() {
      lineIsUp = false
      line?.down()
    },
    lineUp() {
      lineIsUp = true
      if (device !== null) line?.up()
    },
    async stop() {
      await device?.stop()
      device = null
      await line?.stop()
      await Promise.all(ending)
    },
  }
}
