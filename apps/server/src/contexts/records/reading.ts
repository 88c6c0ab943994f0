/** SQL on records for the statements of higher areas, which join or count records with their own rows: one by one would take too long. */
import { oneOf, sql, type Database, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Records as a source in SQL: `FROM ${RECORDS} WHERE park_id = …`. */
export const RECORDS = sql.table('accessRecord')

/** The records of a park. */
export const recordsOf = (scope: Scope, db: Database) => db.selectFrom('accessRecord').where('accessRecord.parkId', '=', scope.parkId)

/**
 * SQL for the number of passages of a device that arrived as records, by a column with the device's id: the numbers stored, less
 * those no record came for.
 */
export const numberedAt = (scope: Scope, deviceId: string) => sql`(
  (SELECT coalesce(sum(ack_seq), 0) FROM device_epoch WHERE park_id = ${scope.parkId} AND device_id = ${sql.ref(deviceId)})::bigint
    - (SELECT coalesce(sum(to_seq - from_seq + 1), 0) FROM record_gap
    WHERE park_id = ${scope.parkId} AND device_id = ${sql.ref(deviceId)})::bigint)`

/** Whether any record of these persons in these parks is marked as of the watch list. */
export async function hasMarkedUnscoped(db: Database, parkIds: readonly string[], personIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM access_record WHERE watched AND park_id = ${oneOf(parkIds)} AND person_id = ${oneOf(personIds)} LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Return the statement that sets or clears the watch list mark on records of these persons and returns the rows that changed. */
export const markingUnscoped = (parkIds: readonly string[], personIds: readonly string[], watched: boolean) => sql`
  UPDATE access_record SET watched = ${watched}
  WHERE park_id = ${oneOf(parkIds)} AND person_id = ${oneOf(personIds)} AND watched = ${sql.lit(!watched)} RETURNING *`

/** Return the parks whose older records are not counted yet, nor their names noted. Unscoped: the caller handles each park by itself. */
export async function listBacklogUnscoped(db: Database): Promise<string[]> {
  return (await db.selectFrom('passageBacklog').select('parkId').execute()).map(({ parkId }) => parkId)
}

export async function isBacklogged(scope: Scope, db: Database): Promise<boolean> {
  return (await db.selectFrom('passageBacklog').select('parkId').where('parkId', '=', scope.parkId).executeTakeFirst()) !== undefined
}

export async function deleteBacklog(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('passageBacklog').where('parkId', '=', scope.parkId).execute()
}

export async function insertBacklog(scope: Scope, tx: Transaction): Promise<void> {
  await tx
    .insertInto('passageBacklog')
    .values({ parkId: scope.parkId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
