/** Pictures past the time a park keeps them; every function takes the scope first. */
import { sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordTables } from './schema.ts'

type Db = Database<RecordTables>

const DAY = 86_400_000

/** Up to which moment pictures are deleted already; 0 where none are. */
export async function readDeletedUntil(scope: Scope, db: Db): Promise<number> {
  const row = await db
    .selectFrom('picture_retention')
    .select('deleted_until as until')
    .where('park_id', '=', scope.parkId)
    .executeTakeFirst()
  return (row?.until as number | undefined) ?? 0
}

export async function saveDeletedUntil(scope: Scope, db: Db, until: number): Promise<void> {
  await db
    .insertInto('picture_retention')
    .values({ park_id: scope.parkId, deleted_until: timestamp(until) })
    .onConflict((conflict) => conflict.column('park_id').doUpdateSet({ deleted_until: timestamp(until) }))
    .execute()
}

/** Records from a moment on and before another, oldest first: the moment of the last of `limit`; null where there are none. */
export async function findStep(scope: Scope, db: Db, from: number, before: number, limit: number): Promise<number | null> {
  const rows = db
    .selectFrom('access_record')
    .select('occurred_at as time')
    .where('park_id', '=', scope.parkId)
    .where('occurred_at', '>=', timestamp(from))
    .where('occurred_at', '<', timestamp(before))
    .orderBy('occurred_at')
    .limit(limit)
  const { last } = await db
    .selectFrom(rows.as('step'))
    .select((eb) => eb.fn.max('time').as('last'))
    .executeTakeFirstOrThrow()
  return last as number | null
}

/** Takes the pictures of these records off, from one moment to another inclusive; answers their files. */
export async function takePicturesOff(scope: Scope, tx: Tx<RecordTables>, from: number, to: number, days: number): Promise<string[]> {
  const { rows } = await sql<{ fileId: string }>`
    UPDATE access_record SET capture_file_id = NULL, picture_kept_until = record.occurred_at + ${days * DAY} * interval '1 millisecond'
    FROM (SELECT id, occurred_at, capture_file_id FROM access_record
      WHERE park_id = ${scope.parkId} AND occurred_at >= ${timestamp(from)} AND occurred_at <= ${timestamp(to)} AND capture_file_id IS NOT NULL FOR UPDATE) AS record
    WHERE access_record.id = record.id AND access_record.occurred_at = record.occurred_at
    RETURNING record.capture_file_id AS "fileId"`.execute(tx)
  return rows.map(({ fileId }) => fileId)
}
