/** Interface of the remote control of doors, and what it needs from other areas. */
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { DoorNow, DoorOutcome, DoorSetting, doorCalls } from '@gatehouse/contract/doors/calls'
import type { DataOf } from '@gatehouse/contract'
import type { DevicesService } from '../devices/index.ts'
import type { Settings } from '../organisation/index.ts'
import type * as data from './data.ts'
import type { DoorAnswer, DoorControl } from './door-control.ts'

export interface DoorsNeeds {
  devices: Pick<DevicesService, 'some'>
  settings: Settings
  door(): DoorControl
}
export type OperateType = 1 | 2 | 3
export interface DoorsService {
  /** @throws NotFound; Refusal 400205 if the device takes no remote control now, 400206 if another user has locked it */
  control(scope: Scope, actor: Actor, deviceId: string, operateType: OperateType): Promise<DoorAnswer>
  /** Operate many doors; a refusal at one door is its outcome. @throws NotFound if one of them is not of the park */
  controlMany(scope: Scope, actor: Actor, deviceIds: readonly string[], operateType: OperateType): Promise<DoorOutcome[]>
  /** Return the states of these doors, except of other parks; null: of all that are not closed, are locked, or have a pending request. */
  states(scope: Scope, deviceIds: readonly string[] | null): Promise<DoorNow[]>
  requests(scope: Scope, query: data.RequestQuery): Promise<DataOf<typeof doorCalls.requests>>
  /** @param deviceId a device that may require a confirmation of every opening. @throws NotFound */
  setting(scope: Scope, deviceId: string | undefined): Promise<DoorSetting & { version: number }>
  saveSetting(scope: Scope, setting: DoorSetting, version: number | undefined): Promise<void>
  /** Record the state of a door that its device reports. */
  noteState(device: { deviceId: string; parkId: string }, state: string): void
  /** End requests that were left without an answer, and delete those older than `before`. @returns how many were deleted */
  upkeep(before: number): Promise<number>
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<Record<string, number>>
  stop(): Promise<void>
}
