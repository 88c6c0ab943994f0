/** The doors of access groups, and what a change makes of them. */
import type { z } from 'zod'
import type { accessGroupChangeFields, accessGroupFields } from '@gatehouse/contract/strategies/access-groups'
import type { Database } from '../../platform/database/database.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findDoorsOf, type AccessGroupRow } from './access-groups-data.ts'
import type { DoorKind } from './access-groups-schema.ts'
import { distinct } from './strategy-changes.ts'

export type AccessGroupFields = z.output<typeof accessGroupFields>
export type AccessGroupChange = z.output<typeof accessGroupChangeFields>

export interface Doors {
  deviceIds: string[]
  deviceGroupIds: string[]
}
export type Values = Doors & { name: string }

export const FIELD_OF = { device: 'deviceIds', deviceGroup: 'deviceGroupIds' } as const satisfies Record<DoorKind, keyof Doors>
export const KINDS = Object.keys(FIELD_OF) as DoorKind[]

export const valuesOf = ({ name, deviceIds, deviceGroupIds }: AccessGroupFields): Values => ({
  name,
  deviceIds: distinct(deviceIds),
  deviceGroupIds: distinct(deviceGroupIds),
})

/** Return the doors of each group as it names them. */
export async function doorsOf(scope: Scope, on: Database, groupIds: readonly string[]): Promise<Map<string, Doors>> {
  const doors = new Map(groupIds.map((id): [string, Doors] => [id, { deviceIds: [], deviceGroupIds: [] }]))
  for (const row of await findDoorsOf(scope, on, groupIds)) doors.get(row.groupId)![FIELD_OF[row.kind]] = row.memberIds
  return doors
}

/** Return an access group as it is, and as a change would save it. */
export async function changedAccessGroup(
  scope: Scope,
  db: Database,
  { id, name }: AccessGroupRow,
  change: AccessGroupChange,
): Promise<{ before: Values; after: Values }> {
  const before: Values = { name, ...(await doorsOf(scope, db, [id])).get(id)! }
  return { before, after: valuesOf(leftAsItWas(before, change)) }
}
