/** Rows of the names that records have; every function takes the scope first, unless it works for the installation. */
import { containing, sql, timestamp, type Database, type Tx } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { NewRecord } from './ingest-data.ts'
import type { RecordNameTables } from './schema-record-names.ts'
import type { AccessTables } from './schema.ts'

type Db = Database<RecordNameTables>

/** So many persons of one name are found by looking at the records themselves: every few of them is one. */
const PERSONS_MAX = 2_000

/**
 * Notes the names of records that are stored in the same transaction. A name of today is left alone: rows nobody writes are
 * waited for by nobody. Unscoped: one transaction takes records of many parks.
 */
export async function insertNamesUnscoped(db: Database<AccessTables>, records: readonly Pick<NewRecord, 'park_id' | 'person_id' | 'person_name' | 'received_at'>[]): Promise<void> {
  const names = new Map<string, object>()
  for (const { park_id, person_id, person_name, received_at } of records)
    if (person_id !== null && person_name !== '') names.set(`${park_id} ${person_id} ${person_name}`, { park_id, person_id, person_name, last_on: received_at.slice(0, 10) })
  if (names.size === 0) return
  await sql`
    INSERT INTO record_name (park_id, person_id, person_name, last_on)
    SELECT park_id, person_id, person_name, last_on FROM json_to_recordset(${JSON.stringify([...names.values()])}::json) AS sent (park_id uuid, person_id uuid, person_name text, last_on date)
    WHERE NOT EXISTS (SELECT 1 FROM record_name AS known
      WHERE known.park_id = sent.park_id AND known.person_id = sent.person_id AND known.person_name = sent.person_name AND known.last_on >= sent.last_on)
    ORDER BY park_id, person_id, person_name
    ON CONFLICT (park_id, person_id, person_name) DO UPDATE SET last_on = greatest(record_name.last_on, excluded.last_on)`.execute(db)
}

/** Persons whose records have a name that contains a text; null where they are too many to be named, or not all known yet. */
export async function findNamed(scope: Scope, db: Database<AccessTables>, text: string): Promise<string[] | null> {
  const { rows } = await sql<{ personId: string }>`
    SELECT DISTINCT person_id AS "personId" FROM record_name
    WHERE park_id = ${scope.parkId} AND person_name ILIKE ${containing(text)} AND NOT EXISTS (SELECT 1 FROM passage_backlog WHERE park_id = ${scope.parkId})
    UNION ALL SELECT NULL FROM passage_backlog WHERE park_id = ${scope.parkId}
    LIMIT ${PERSONS_MAX + 1}`.execute(db)
  return rows.length > PERSONS_MAX || rows.some(({ personId }) => personId === null) ? null : rows.map(({ personId }) => personId)
}

/** Whoever writes names from records, and whoever takes one out of them, do it one after the other. */
const NAMES_LOCK = 7_140_063

/** Notes the names of records of some moments that are there. In a transaction of its own, not one that keeps seeing what was. */
export async function noteNames(scope: Scope, tx: Tx<RecordNameTables>, from: number, to: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(tx)
  await sql`
    INSERT INTO record_name (park_id, person_id, person_name, last_on)
    SELECT park_id, person_id, person_name, max(received_at)::date FROM access_record
    WHERE park_id = ${scope.parkId} AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)} AND person_id IS NOT NULL AND person_name <> ''
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (park_id, person_id, person_name) DO UPDATE SET last_on = greatest(record_name.last_on, excluded.last_on)`.execute(tx)
}

/** A pseudonym in place of all a person was called. */
export async function pseudonymiseNames(scope: Scope, db: Db, personId: string, pseudonym: { id: string; name: string }): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(db)
  const { rows } = await sql<{ lastOn: string }>`DELETE FROM record_name WHERE park_id = ${scope.parkId} AND person_id = ${personId} RETURNING last_on AS "lastOn"`.execute(db)
  const lastOn = rows.map((row) => row.lastOn).toSorted().at(-1)
  if (lastOn === undefined) return
  await db
    .insertInto('record_name')
    .values({ park_id: scope.parkId, person_id: pseudonym.id, person_name: pseudonym.name, last_on: lastOn })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Names that no record came under since a day, and that none has any more. Unscoped: a job does it for all parks. */
export async function deleteForgottenNamesUnscoped(db: Database<AccessTables>, before: string): Promise<void> {
  await sql`DELETE FROM record_name AS known WHERE last_on < ${before} AND NOT EXISTS (SELECT 1 FROM access_record AS record
    WHERE record.park_id = known.park_id AND record.person_id = known.person_id AND record.person_name = known.person_name)`.execute(db)
}
