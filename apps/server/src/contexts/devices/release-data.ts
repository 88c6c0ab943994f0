/** Rows of who made a device's secret, whether the device is released, and when it was first sent persons. */
import type { DeviceFetch } from '@gatehouse/contract/devices/device'
import { oneOf, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { sourceOf, type LoggedActor } from '../../platform/audit/audit.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { deviceGroupIsSeen } from '../../platform/session/sight.ts'
import { settingsOf } from './passage-settings.ts'

/** When a device was released, and by whom; null: it is not released. */
export type Release = { at: number; by: string } | null

export const releaseColumns = (release: Release) => ({
  releasedAt: release === null ? null : timestamp(release.at),
  releasedBy: release?.by ?? '',
})

/** Return the columns of the author of a secret. @param by null: there is no secret yet */
export const authorColumns = (by: Actor | null) => ({
  pairedBy: by?.userId ?? null,
  pairedByAccount: by?.account ?? '',
  pairedByOperator: by?.operator ?? '',
  pairedBySource: by === null ? 'local' : sourceOf(by),
})

export async function updateRelease(scope: Scope, tx: Transaction, id: string, release: Release): Promise<void> {
  await tx.updateTable('device').set(releaseColumns(release)).where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}

/** Store who made another secret; the next fetch of persons counts as the first with it. */
export async function updateAuthor(scope: Scope, tx: Transaction, id: string, by: Actor): Promise<void> {
  await tx
    .updateTable('device')
    .set({ ...authorColumns(by), firstFetchAt: null, firstFetchPersons: null })
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .execute()
}

/** Store that a device was sent persons, once for each secret. @returns who made the secret; undefined if it was stored before */
export async function updateFirstFetch(
  scope: Scope,
  tx: Transaction,
  { id, secretHash, persons }: { id: string; secretHash: Buffer; persons: number },
  now: number,
): Promise<Omit<LoggedActor, 'parkId'> | undefined> {
  const row = await tx
    .updateTable('device')
    .set({ firstFetchAt: timestamp(now), firstFetchPersons: persons })
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .where('secretHash', '=', secretHash)
    .where('firstFetchAt', 'is', null)
    .returning(['pairedBy as userId', 'pairedByAccount as account', 'pairedByOperator as operator', 'pairedBySource as source'])
    .executeTakeFirst()
  return row && { ...row, source: row.source === 'thirdParty' ? 'thirdParty' : 'local' }
}

/** Return which of these devices were sent persons since their secret was made, except devices whose number of persons was not stored. */
export async function findFetches(scope: Scope, db: Database, ids: readonly string[]): Promise<DeviceFetch[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('device')
    .select(['id', 'name', 'pairedByOperator as pairedBy', 'pairedBy as pairedById', 'firstFetchPersons as persons', 'firstFetchAt as at'])
    .where('parkId', '=', scope.parkId)
    .where(deviceGroupIsSeen(scope, 'device.groupId'))
    .where('id', '=', oneOf(ids))
    .where('firstFetchPersons', 'is not', null)
    .execute()
  return rows.map((row) => ({ ...row, persons: row.persons!, at: row.at as number }))
}

/** Return the present settings that decide who may pass at these devices. */
export async function findSettings(scope: Scope, tx: Transaction, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('device')
    .select((eb) => ['id', 'groupId', 'direction', 'type', eb('releasedAt', 'is not', null).$castTo<boolean>().as('released')])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
  return new Map(rows.map((row) => [row.id, settingsOf(row)]))
}
