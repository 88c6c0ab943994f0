/**
 * Partitions of the record table, one a month, as the catalogue names them, and their removal. Unscoped throughout: a month holds
 * the records of all parks, and only a job drops one.
 */
import { sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { PARTITIONS_LOCK } from './partitions.ts'

const MONTH = /^access_record_(\d{4})_(\d{2})$/
/** A month that is detached from the record table and is to be dropped. */
const DETACHED = /^access_record_dropped_\d{4}_\d{2}$/

/** Return the months of the record table, oldest first, each with its first moment and the first moment after it. */
export async function listMonthsUnscoped(db: Database): Promise<{ name: string; from: number; to: number }[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'access_record'::regclass ORDER BY relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month] = MONTH.exec(name) ?? []
    return year === undefined ? [] : [{ name, from: Date.UTC(Number(year), Number(month) - 1), to: Date.UTC(Number(year), Number(month)) }]
  })
}

/** Return the tables of months that were detached from the record table and are not dropped yet. */
export async function listDetachedUnscoped(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema() AND tablename LIKE 'access\\_record\\_dropped\\_%' ORDER BY tablename`.execute(db)
  return rows.map(({ name }) => name).filter((name) => DETACHED.test(name))
}

/**
 * Detach a month from the record table in one transaction and return the new name of its table. Readers of the record table wait
 * no longer than `waitMs`, after which the statement gives up (SQLSTATE 55P03).
 */
export async function detachMonthUnscoped(tx: Transaction, name: string, waitMs: number): Promise<string> {
  const detached = name.replace('access_record_', 'access_record_dropped_')
  await sql`SET LOCAL lock_timeout = ${sql.lit(waitMs)}`.execute(tx)
  await sql`SELECT pg_advisory_xact_lock(${PARTITIONS_LOCK})`.execute(tx)
  await sql`ALTER TABLE access_record DETACH PARTITION ${sql.table(name)}`.execute(tx)
  await sql`ALTER TABLE ${sql.table(name)} RENAME TO ${sql.id(detached)}`.execute(tx)
  return detached
}

/** Return pictures of a detached month in the order of record ids, those after the id `after`. */
export async function listPicturesUnscoped(
  db: Database,
  table: string,
  after: string,
  limit: number,
): Promise<{ id: string; parkId: string; fileId: string }[]> {
  const { rows } = await sql<{ id: string; parkId: string; fileId: string }>`
    SELECT id, park_id AS "parkId", capture_file_id AS "fileId" FROM ${sql.table(table)}
    WHERE capture_file_id IS NOT NULL AND id > ${after}::uuid ORDER BY id LIMIT ${limit}`.execute(db)
  return rows
}

export async function dropDetachedUnscoped(db: Database, table: string): Promise<void> {
  await sql`DROP TABLE ${sql.table(table)}`.execute(db)
}

/** Delete unstorable records, gaps, watch list hits and answers about second photographs from before a moment. */
export async function deleteNotesUnscoped(db: Database, before: number): Promise<void> {
  await db.deleteFrom('unstorableRecord').where('receivedAt', '<', timestamp(before)).execute()
  await sql`DELETE FROM record_gap WHERE noted_at < ${timestamp(before)}`.execute(db)
  await db.deleteFrom('watchListHit').where('occurredAt', '<', timestamp(before)).execute()
  await db.deleteFrom('secondPhotograph').where('occurredAt', '<', timestamp(before)).execute()
}
