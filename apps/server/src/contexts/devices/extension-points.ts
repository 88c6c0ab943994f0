/** What the register of devices needs from areas above it. */
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { singlePoint } from '../../platform/extension-points.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DeviceHolding } from './present.ts'

/** Devices and groups that access rules reach; the context that supplies this depends on this one. */
export interface Reach {
  /** Return the ids of rules that hold at a device; null if the park has no such device. */
  atDevice(scope: Scope, deviceId: string): Promise<readonly string[] | null>
  /** Return the ids of rules that hold at all devices in a group or below it. */
  inGroup(scope: Scope, groupId: string): Promise<readonly string[]>
}

/** A device as it would be after a change. */
export interface AdmittedDevice {
  /** For a new device, an id that no other device has. */
  id: string
  name: string
  groupId: string | null
}

/** Guards a change of the place of devices, and may refuse it. It opens the transaction of the change, so that there is only one. */
export interface DeviceGuard {
  /**
   * @param devices reads the devices as they would be, in the transaction; called only if a rule could refuse the change
   * @param field field of the form at which a refusal is reported
   * @param work writes the change in the transaction
   * @throws Hindered; Refusal 900000 if too many changes are waiting
   */
  devices<T>(
    scope: Scope,
    devices: (within: Transaction) => Promise<AdmittedDevice[]>,
    field: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T>
  /** The same for a group that is moved below another. */
  group<T>(scope: Scope, id: string, parentId: string | null, work: (tx: Transaction) => Promise<T>): Promise<T>
}
export const deviceGuard = singlePoint<DeviceGuard>('devices.deviceGuard')

/** What devices store; the context that supplies this depends on this one. */
export type Holdings = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, DeviceHolding>>

/** What devices are to be set to. */
export type Configured = (
  scope: Scope,
  deviceIds: readonly string[],
) => Promise<Map<string, { configuration: TerminalSettings | null; secretsRevision: string }>>

/** Attempts to pass at devices: today in the park's time zone, and in total. */
export type AccessCounts = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, { today: number; total: number }>>

/** States of doors, of the enum `doorState`; unknown ones are absent. */
export type DoorStates = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, string>>

/** Number of persons whom access rules name at a device, whether or not it is released. @throws NotFound */
export type PersonsNamed = (scope: Scope, deviceId: string) => Promise<number>

export const deviceHoldings = singlePoint<Holdings>('devices.holdings')
export const deviceConfiguration = singlePoint<Configured>('devices.configuration')
export const passageCounts = singlePoint<AccessCounts>('devices.passageCounts')
export const doorStates = singlePoint<DoorStates>('devices.doorStates')
export const personsAtDevice = singlePoint<PersonsNamed>('devices.personsNamed')
export const ruleReach = singlePoint<Reach>('devices.ruleReach')

/** The line to devices: it exists once the areas are assembled, and works once the broker is running. */
export interface DeviceLine extends DeviceCommands {
  /** Return when a device was last sent its desired state, connected or not; null: not since the start. */
  sentAt(deviceId: string): number | null
  /** Resolve when all that devices have sent so far is handled. */
  idle(): Promise<void>
}
export const deviceLine = singlePoint<DeviceLine>('devices.line')
