/** Interface of the register of devices, and what it needs from other areas. */
import type { DataOf } from '@gatehouse/contract'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { Device, DeviceDetail } from '@gatehouse/contract/devices/device'
import type { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceChange, DeviceFields } from './values.ts'
import type { DeviceStatus } from './status-data.ts'
import type { Releases } from './release.ts'
import type { ReadDeviceFacts } from './read-facts.ts'
import type { PairingDecision } from './policy.ts'
import type { AddedDevice, Pairing } from './pairing.ts'
import type { DeviceGroups } from './groups.ts'
import type * as data from './data.ts'
import type { Selection } from '../../platform/tree.ts'
import type { DevicePrincipal, Scope, SignedInDevice } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { DeviceCredential } from '../../platform/broker/types.ts'
import type { DeviceGuarding } from './admission.ts'
import type { AccessCounts, Configured, DoorStates, Holdings, PersonsNamed } from './extension-points.ts'
import type { Admit } from './register.ts'
import type { SignIn } from './sign-in.ts'

/** A device as the synchronisation reads it. */
export interface RegisteredDevice {
  id: string
  code: string
  name: string
  direction: number
  groupId: string | null
  modelId: string
  configuration: TerminalSettings | null
  secretsRevision: string
  /** Whether persons may be sent to the device. */
  released: boolean
}
export type DeviceSummary = DataOf<typeof deviceCalls.summary>
export interface DevicesService extends Releases {
  groups: DeviceGroups
  pairing: Pairing
  list(scope: Scope, query: data.DeviceQuery): Promise<{ total: number; content: DeviceDetail[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<DeviceDetail>
  /** Unknown ids are left out. */
  some(scope: Scope, ids: readonly string[]): Promise<Device[]>
  all(scope: Scope): Promise<Device[]>
  summary(scope: Scope): Promise<DeviceSummary>
  /** @throws Refusal 400005, 400006, 400204; InvalidRequest if a limit is reached */
  create(scope: Scope, fields: DeviceFields, decision: PairingDecision): Promise<AddedDevice>
  /** Add all devices or none; a fault is reported at its row, `devices.3.code`. @throws as create */
  createMany(scope: Scope, rows: readonly DeviceFields[], decision: PairingDecision): Promise<AddedDevice[]>
  /** Return how many persons a device is to store once it is released. @throws NotFound */
  releaseEffect(scope: Scope, id: string): Promise<{ persons: number }>
  /** @throws NotFound; Conflict; as create */
  change(scope: Scope, id: string, version: number | undefined, change: DeviceChange): Promise<void>
  /** Return the released devices that a move would put into another group, as they would be there. @throws as `move` */
  moving(scope: Scope, ids: readonly string[], groupId: string | null): Promise<{ id: string; name: string; groupId: string | null }[]>
  /** @throws NotFound; InvalidRequest if there is no such group */
  move(scope: Scope, ids: readonly string[], groupId: string | null): Promise<number>
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  noteStatus(scope: Scope, id: string, status: DeviceStatus): Promise<void>
  /** Drop the cached secrets of these devices: an old one is refused once this resolves. */
  refresh(scope: Scope, ids: readonly string[]): Promise<void>
  /** Return the device with this secret, if its park still accepts secrets; null otherwise. */
  authenticate(code: string, secret: string): Promise<SignedInDevice | null>
  byCode(code: string): Promise<DevicePrincipal | null>
  /** Return the id of a device and the hash of its secret, for what is derived from them. */
  credentialOf(code: string): Promise<DeviceCredential | null>
  /** Return the codes of the devices that may no longer sign in with their secret; none if they still may. */
  secretsEnded(scope: Scope): Promise<string[]>
  /** Return all devices, for the synchronisation to derive what they should store. */
  register(scope: Scope): Promise<RegisteredDevice[]>
  /** Return what only the terminal itself may read; null if it is not set. @throws NotFound */
  secretsOf(scope: Scope, id: string): Promise<{ devicePassword: string | null }>
  /** Return the released devices of the park. @param within read through this transaction */
  released(scope: Scope, within?: Transaction): Promise<{ id: string; name: string; groupId: string | null }[]>
  /** @param within read through this transaction */
  groupRows(scope: Scope, within?: Transaction): Promise<{ id: string; parentId: string | null }[]>
  /** @param within read through this transaction */
  names(scope: Scope, ids: readonly string[], within?: Transaction): Promise<{ id: string; name: string }[]>
  facts: ReadDeviceFacts
  groupNames(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Return the ids of the devices in these groups and those below. */
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  /** Return how many devices each selection has, including those in groups below its groups. */
  sizes(scope: Scope, selections: readonly Selection[]): Promise<number[]>
  /** Return how many devices of each type these parks have, read in the transaction if there is one. */
  countByType(tx: Transaction | null, parkIds: readonly string[]): Promise<{ type: number; count: number }[]>
  /** Return the numbers of devices of the whole installation: all, and those connected. */
  connected(): Promise<{ registered: number; connected: number }>
  markAllOffline(): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<Record<string, number>>
}
export interface ServiceNeeds extends DeviceGuarding {
  holdings: Holdings
  admit: Admit
  configured: Configured
  accessCounts: AccessCounts
  doorStates: DoorStates
  personsNamed: PersonsNamed
  signIn: Pick<SignIn, 'takesSecrets' | 'ended'>
}
