/** Rows of the settings by which parks compare faces; every function takes the scope first. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

const columns = [
  'doorPromise',
  'watchListPromise',
  'searchPromise',
  'doorPrecision',
  'doorCustom',
  'watchListPrecision',
  'watchListCustom',
  'searchPrecision',
  'searchCustom',
  'margin',
  'lookAlikeMargin',
  'photosWanted',
  'livenessMode',
  'livenessThreshold',
  'version',
] as const

export interface PolicyRow {
  doorPromise: number
  watchListPromise: number
  searchPromise: number
  /** Preset of each purpose from before there were promises; null once promises were set. */
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

export function findPolicy(scope: Scope, db: Database): Promise<PolicyRow | undefined> {
  return db.selectFrom('facePolicy').select(columns).where('parkId', '=', scope.parkId).executeTakeFirst()
}

/** Return the settings of all parks that have their own. Unscoped: a node keeps them in memory. */
export function readPoliciesUnscoped(db: Database): Promise<(PolicyRow & { parkId: string })[]> {
  return db
    .selectFrom('facePolicy')
    .select(['parkId', ...columns])
    .execute()
}

/** Save settings that are at `row.version - 1`; return false where they no longer are. */
export async function savePolicy(scope: Scope, db: Database, row: PolicyRow, now: number): Promise<boolean> {
  const values = {
    doorPromise: row.doorPromise,
    watchListPromise: row.watchListPromise,
    searchPromise: row.searchPromise,
    doorPrecision: row.doorPrecision,
    doorCustom: row.doorCustom,
    watchListPrecision: row.watchListPrecision,
    watchListCustom: row.watchListCustom,
    searchPrecision: row.searchPrecision,
    searchCustom: row.searchCustom,
    margin: row.margin,
    lookAlikeMargin: row.lookAlikeMargin,
    photosWanted: row.photosWanted,
    livenessMode: row.livenessMode,
    livenessThreshold: row.livenessThreshold,
    version: row.version,
    updatedAt: timestamp(now),
  }
  if (row.version === 1) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('facePolicy')
      .values({ parkId: scope.parkId, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) === 1
  }
  const { numUpdatedRows } = await db
    .updateTable('facePolicy')
    .set(values)
    .where('parkId', '=', scope.parkId)
    .where('version', '=', row.version - 1)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export async function deletePolicy(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('facePolicy').where('parkId', '=', scope.parkId).execute()
}
