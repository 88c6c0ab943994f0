/** What the register of devices asks of areas above it. */
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AdmittedDevice } from './admission.ts'
import type { Reach } from './placing.ts'
import type { AccessCounts, Configured, DoorStates, Holdings, PersonsNamed } from './service.ts'

/** Stands before a change of where devices are, and may refuse it. */
export interface DeviceGuard {
  /** @param devices as they would be; asked for only where anything could refuse it @param field of the form that a refusal belongs to @throws Hindered */
  devices<T>(scope: Scope, devices: () => Promise<AdmittedDevice[]>, field: string, work: () => Promise<T>): Promise<T>
  /** The same for a group that moves to below another. */
  group<T>(scope: Scope, id: string, parentId: string | null, work: () => Promise<T>): Promise<T>
}
export const deviceGuards = extensionPoint<DeviceGuard>('devices.deviceGuards')

export const deviceHoldings = singlePoint<Holdings>('devices.holdings')
export const deviceConfiguration = singlePoint<Configured>('devices.configuration')
export const passageCounts = singlePoint<AccessCounts>('devices.passageCounts')
export const doorStates = singlePoint<DoorStates>('devices.doorStates')
export const personsAtDevice = singlePoint<PersonsNamed>('devices.personsNamed')
export const ruleReach = singlePoint<Reach>('devices.ruleReach')

/** The line to devices: it is there once areas are put together, and carries once the broker is up. */
export interface DeviceLine extends DeviceCommands {
  /** When a device was last sent what it should come to, connected or not; null: not since the start. */
  sentAt(deviceId: string): number | null
  /** Resolves when all that devices have sent so far is handled. */
  idle(): Promise<void>
}
export const deviceLine = singlePoint<DeviceLine>('devices.line')
