/** What a simulated device is made of, and what it offers. */
import type { DeviceOptions, Device, DeviceState } from '@gatehouse/terminal/device/device'
import type { QueuedRecord } from '@gatehouse/terminal/device/store'
import type { UpgradeAgent } from '@gatehouse/terminal/upgrade/agent'
import type { DeviceClock } from './clock.ts'
import type { CutMoment } from './journal.ts'
import type { Line, LineQuality } from './line.ts'
import type { UnnumberedRecord, Visitor } from './passage.ts'
import type { SimulatedStore, SimulatedStoreOptions } from './store.ts'
import type { SimulatedInstallation } from './upgrades.ts'

export interface SimulatedDeviceOptions extends Pick<
  DeviceOptions,
  'code' | 'secret' | 'modelId' | 'embed' | 'retry' | 'resendAfter' | 'random' | 'log'
> {
  server: string
  store: SimulatedStoreOptions
  clock?: DeviceClock
  /** A line of its own between the device and the server. Without one, the device can lose neither its line nor its power. */
  line?: LineQuality
  /** Firmware at the start; its digits let the server tell what is newer. */
  version?: string
  /** Called when something of `state` has changed. */
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
  /** Decide about a visitor and store the record. @returns null when none could be made; @throws OutboxFull, PowerCut */
  pass(visitor: Visitor, picture?: Uint8Array): Promise<QueuedRecord | null>
  /** Store a record that was decided elsewhere. @returns null before the first pairing */
  append(record: UnnumberedRecord): QueuedRecord | null
  addPicture(recordId: string, picture: Uint8Array): void
  /** Cut the power without a goodbye, at once or in the middle of the next write. */
  powerCut(moment?: CutMoment): void
  /**
   * Switch it on again; without effect while it is on. A cut that was planned for the next write happens first, where nothing was written
   * since.
   */
  powerOn(): void
  lineDown(): void
  lineUp(): void
  /** Say goodbye and end. */
  stop(): Promise<void>
}

/** What the parts of a simulated device share. Fields that are not readonly change while it runs: read them from here each time. */
export interface SimulatedDeviceParts {
  readonly options: SimulatedDeviceOptions
  readonly clock: DeviceClock
  readonly store: SimulatedStore
  readonly line: Line | null
  readonly installation: SimulatedInstallation
  /** Lives that have ended without a goodbye and may not have stopped yet. */
  readonly ending: Set<Promise<void>>
  /** Null while it has no power, and so are its upgrades. */
  device: Device | null
  upgrades: UpgradeAgent | null
  lineIsUp: boolean
  /** Between the end of one version and the start of the next. */
  restarting: boolean
  stopped: boolean
}
