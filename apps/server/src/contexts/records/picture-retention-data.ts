/** Pictures that a park keeps no longer; every function takes the scope first. */
import { sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

const DAY = 86_400_000

/** Return the moment before which pictures are already deleted; 0 where none are. */
export async function readDeletedUntil(scope: Scope, db: Database): Promise<number> {
  const row = await db.selectFrom('pictureRetention').select('deletedUntil as until').where('parkId', '=', scope.parkId).executeTakeFirst()
  return (row?.until as number | undefined) ?? 0
}

export async function saveDeletedUntil(scope: Scope, db: Database, until: number): Promise<void> {
  await db
    .insertInto('pictureRetention')
    .values({ parkId: scope.parkId, deletedUntil: timestamp(until) })
    .onConflict((conflict) => conflict.column('parkId').doUpdateSet({ deletedUntil: timestamp(until) }))
    .execute()
}

/** Return the moment of the last of the `limit` oldest records in `[from, before)`; null where there are none. */
export async function findStep(scope: Scope, db: Database, from: number, before: number, limit: number): Promise<number | null> {
  const rows = db
    .selectFrom('accessRecord')
    .select('occurredAt as time')
    .where('parkId', '=', scope.parkId)
    .where('occurredAt', '>=', timestamp(from))
    .where('occurredAt', '<', timestamp(before))
    .orderBy('occurredAt')
    .limit(limit)
  const { last } = await db
    .selectFrom(rows.as('step'))
    .select((eb) => eb.fn.max('time').as('last'))
    .executeTakeFirstOrThrow()
  return last as number | null
}

/** Detach the pictures of the records between two moments, both inclusive, and return their files. */
export async function takePicturesOff(scope: Scope, tx: Transaction, from: number, to: number, days: number): Promise<string[]> {
  const { rows } = await sql<{ fileId: string }>`
    UPDATE access_record SET capture_file_id = NULL, picture_kept_until = record.occurred_at + ${days * DAY} * interval '1 millisecond'
    FROM (SELECT id, occurred_at, capture_file_id FROM access_record
      WHERE park_id = ${scope.parkId} AND occurred_at >= ${timestamp(from)} AND occurred_at <= ${timestamp(to)}
      AND capture_file_id IS NOT NULL FOR UPDATE) AS record
    WHERE access_record.id = record.id AND access_record.occurred_at = record.occurred_at
    RETURNING record.capture_file_id AS "fileId"`.execute(tx)
  return rows.map(({ fileId }) => fileId)
}
