/** Rows of who made a device's secret, whether persons may go to it, and when they first did. */
import type { DeviceFetch } from '@gatehouse/contract/devices/calls'
import { oneOf, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceGroupIsSeen } from '../../platform/session/sight.ts'
import type { Author } from './authority.ts'
import type { DevicesTables } from './schema.ts'
import { settingsOf } from './values.ts'

type Db = Database<DevicesTables>

/** When persons were let go to a device and by whom; null: they may not. */
export type Release = { at: number; by: string } | null

export const releaseColumns = (release: Release) => ({
  released_at: release === null ? null : timestamp(release.at),
  released_by: release?.by ?? '',
})

/** @param by null: there is no secret yet */
export const authorColumns = (by: Author | null) => ({
  paired_by: by?.userId ?? null,
  paired_by_account: by?.account ?? '',
  paired_by_operator: by?.operator ?? '',
  paired_by_source: by?.source ?? 'local',
})

export async function updateRelease(scope: Scope, tx: Tx<DevicesTables>, id: string, release: Release): Promise<void> {
  await tx.updateTable('device').set(releaseColumns(release)).where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}

/** Somebody made another secret: whatever fetches persons with it does so for the first time. */
export async function updateAuthor(scope: Scope, tx: Tx<DevicesTables>, id: string, by: Author): Promise<void> {
  await tx
    .updateTable('device')
    .set({ ...authorColumns(by), first_fetch_at: null, first_fetch_persons: null })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .execute()
}

/** Notes that a device was sent persons, once for each secret. @returns who made the secret; undefined where it is noted already */
export async function updateFirstFetch(
  scope: Scope,
  tx: Tx<DevicesTables>,
  { id, secretHash, persons }: { id: string; secretHash: Buffer; persons: number },
  now: number,
): Promise<Author | undefined> {
  const row = await tx
    .updateTable('device')
    .set({ first_fetch_at: timestamp(now), first_fetch_persons: persons })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where('secret_hash', '=', secretHash)
    .where('first_fetch_at', 'is', null)
    .returning(['paired_by as userId', 'paired_by_account as account', 'paired_by_operator as operator', 'paired_by_source as source'])
    .executeTakeFirst()
  return row && { ...row, source: row.source === 'thirdParty' ? 'thirdParty' : 'local' }
}

/** Which of these devices were sent persons since their secret was made; those of before are not counted. */
export async function findFetches(scope: Scope, db: Db, ids: readonly string[]): Promise<DeviceFetch[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('device')
    .select([
      'id',
      'name',
      'paired_by_operator as pairedBy',
      'paired_by as pairedById',
      'first_fetch_persons as persons',
      'first_fetch_at as at',
    ])
    .where('park_id', '=', scope.parkId)
    .where(deviceGroupIsSeen(scope, 'device.group_id'))
    .where('id', '=', oneOf(ids))
    .where('first_fetch_persons', 'is not', null)
    .execute()
  return rows.map((row) => ({ ...row, persons: row.persons!, at: row.at as number }))
}

/** What decides about who may pass at these devices, as it is now. */
export async function findSettings(scope: Scope, tx: Tx<DevicesTables>, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('device')
    .select((eb) => ['id', 'group_id as groupId', 'direction', 'type', eb('released_at', 'is not', null).$castTo<boolean>().as('released')])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
  return new Map(rows.map((row) => [row.id, settingsOf(row)]))
}
