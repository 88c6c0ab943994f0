/** Rows of how strictly parks compare faces; every function takes the scope first. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesTables } from './schema.ts'

type Db = Database<FacesTables>

const columns = [
  'door_promise as doorPromise',
  'watch_list_promise as watchListPromise',
  'search_promise as searchPromise',
  'door_precision as doorPrecision',
  'door_custom as doorCustom',
  'watch_list_precision as watchListPrecision',
  'watch_list_custom as watchListCustom',
  'search_precision as searchPrecision',
  'search_custom as searchCustom',
  'margin',
  'look_alike_margin as lookAlikeMargin',
  'photos_wanted as photosWanted',
  'liveness_mode as livenessMode',
  'liveness_threshold as livenessThreshold',
  'version',
] as const

export interface PolicyRow {
  doorPromise: number
  watchListPromise: number
  searchPromise: number
  /** What held for each purpose before there were promises; null once they were set. */
  doorPrecision: number | null
  doorCustom: number | null
  watchListPrecision: number | null
  watchListCustom: number | null
  searchPrecision: number | null
  searchCustom: number | null
  margin: number
  lookAlikeMargin: number
  photosWanted: number
  livenessMode: string
  livenessThreshold: number | null
  version: number
}

export function findPolicy(scope: Scope, db: Db): Promise<PolicyRow | undefined> {
  return db.selectFrom('face_policy').select(columns).where('park_id', '=', scope.parkId).executeTakeFirst()
}

/** Settings of all parks that have their own. Unscoped: a node keeps them in memory. */
export function readPoliciesUnscoped(db: Db): Promise<(PolicyRow & { parkId: string })[]> {
  return db
    .selectFrom('face_policy')
    .select(['park_id as parkId', ...columns])
    .execute()
}

/** Saves settings that were at `row.version - 1`; false where they are not any more. */
export async function savePolicy(scope: Scope, db: Db, row: PolicyRow, now: number): Promise<boolean> {
  const values = {
    door_promise: row.doorPromise,
    watch_list_promise: row.watchListPromise,
    search_promise: row.searchPromise,
    door_precision: row.doorPrecision,
    door_custom: row.doorCustom,
    watch_list_precision: row.watchListPrecision,
    watch_list_custom: row.watchListCustom,
    search_precision: row.searchPrecision,
    search_custom: row.searchCustom,
    margin: row.margin,
    look_alike_margin: row.lookAlikeMargin,
    photos_wanted: row.photosWanted,
    liveness_mode: row.livenessMode,
    liveness_threshold: row.livenessThreshold,
    version: row.version,
    updated_at: timestamp(now),
  }
  if (row.version === 1) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('face_policy')
      .values({ park_id: scope.parkId, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) === 1
  }
  const { numUpdatedRows } = await db
    .updateTable('face_policy')
    .set(values)
    .where('park_id', '=', scope.parkId)
    .where('version', '=', row.version - 1)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export async function deletePolicy(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('face_policy').where('park_id', '=', scope.parkId).execute()
}
