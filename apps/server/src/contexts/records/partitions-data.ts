/**
 * Months of the record table as the catalogue names them, and how one goes. Unscoped throughout: a month holds the
 * records of all parks, and only a job drops one.
 */
import { sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import { PARTITIONS_LOCK } from './partitions.ts'
import type { RecordTables } from './schema.ts'

type Db = Database<RecordTables>

const MONTH = /^access_record_(\d{4})_(\d{2})$/
/** A month that no longer belongs to the record table and waits to be dropped. */
const DETACHED = /^access_record_dropped_\d{4}_\d{2}$/

/** The months of the record table, oldest first, with the first moment of each and the first after it. */
export async function listMonthsUnscoped(db: Db): Promise<{ name: string; from: number; to: number }[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'access_record'::regclass ORDER BY relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month] = MONTH.exec(name) ?? []
    return year === undefined ? [] : [{ name, from: Date.UTC(Number(year), Number(month) - 1), to: Date.UTC(Number(year), Number(month)) }]
  })
}

/** Tables of months that were taken off the record table and are not dropped yet. */
export async function listDetachedUnscoped(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema() AND tablename LIKE 'access\\_record\\_dropped\\_%' ORDER BY tablename`.execute(db)
  return rows.map(({ name }) => name).filter((name) => DETACHED.test(name))
}

/**
 * Takes a month off the record table, all at once; answers the name its table has from then on. Lists wait for this no
 * longer than `waitMs`, after which it gives up (SQLSTATE 55P03).
 */
export async function detachMonthUnscoped(tx: Tx<RecordTables>, name: string, waitMs: number): Promise<string> {
  const detached = name.replace('access_record_', 'access_record_dropped_')
  await sql`SET LOCAL lock_timeout = ${sql.lit(waitMs)}`.execute(tx)
  await sql`SELECT pg_advisory_xact_lock(${PARTITIONS_LOCK})`.execute(tx)
  await sql`ALTER TABLE access_record DETACH PARTITION ${sql.table(name)}`.execute(tx)
  await sql`ALTER TABLE ${sql.table(name)} RENAME TO ${sql.id(detached)}`.execute(tx)
  return detached
}

/** Pictures of a detached month, in the order of record ids, after one of them. */
export async function listPicturesUnscoped(
  db: Db,
  table: string,
  after: string,
  limit: number,
): Promise<{ id: string; parkId: string; fileId: string }[]> {
  const { rows } = await sql<{ id: string; parkId: string; fileId: string }>`
    SELECT id, park_id AS "parkId", capture_file_id AS "fileId" FROM ${sql.table(table)}
    WHERE capture_file_id IS NOT NULL AND id > ${after}::uuid ORDER BY id LIMIT ${limit}`.execute(db)
  return rows
}

export async function dropDetachedUnscoped(db: Db, table: string): Promise<void> {
  await sql`DROP TABLE ${sql.table(table)}`.execute(db)
}

/** What was noted beside the records before a moment goes with them. */
export async function deleteNotesUnscoped(db: Db, before: number): Promise<void> {
  await db.deleteFrom('unstorable_record').where('received_at', '<', timestamp(before)).execute()
  await sql`DELETE FROM record_gap WHERE noted_at < ${timestamp(before)}`.execute(db)
  await db.deleteFrom('watch_list_hit').where('occurred_at', '<', timestamp(before)).execute()
  await db.deleteFrom('second_photograph').where('occurred_at', '<', timestamp(before)).execute()
}
