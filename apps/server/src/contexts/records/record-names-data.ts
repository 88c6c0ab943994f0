/** Rows of the names that records have; every function takes the scope first, unless it works for the installation. */
import { oneOf, sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewRecord } from './ingest-data.ts'
import type { RecordNameTables } from './record-names-schema.ts'
import type { RecordTables } from './schema.ts'

type Db = Database<RecordNameTables>

/** So many persons of one name, or contacts, are found by looking at the records themselves: every few of them is one. */
const NAMED_MAX = 2_000

/** Whose names are kept, each in a table of its own: what says whose it is, and the name, called there as records call it. */
const KEPT = [
  { table: 'record_name', keys: ['park_id', 'person_id', 'person_name'], name: 'person_name' },
  { table: 'record_contact_name', keys: ['park_id', 'person_id', 'contact_id', 'contact_name'], name: 'contact_name' },
] as const
type Kept = (typeof KEPT)[number]

const columnsOf = ({ keys }: Kept) => sql.join(keys.map((key) => sql.ref(key)))
const conditionOf = ({ keys }: Kept, one: string, other: string) =>
  sql.join(
    keys.map((key) => sql`${sql.ref(`${one}.${key}`)} = ${sql.ref(`${other}.${key}`)}`),
    sql` AND `,
  )
const laterOf = (kept: Kept) =>
  sql`ON CONFLICT (${columnsOf(kept)}) DO UPDATE SET last_on = greatest(${sql.ref(`${kept.table}.last_on`)}, excluded.last_on)`

type NamedRecord = Pick<NewRecord, 'park_id' | 'person_id' | 'person_name' | 'contact_id' | 'contact_name' | 'received_at'>

/**
 * Notes the names of records that are stored in the same transaction. A name of today is left alone: rows nobody writes are
 * waited for by nobody. Unscoped: one transaction takes records of many parks.
 */
export async function insertNamesUnscoped(db: Database<RecordTables>, records: readonly NamedRecord[]): Promise<void> {
  for (const kept of KEPT) {
    const names = new Map<string, object>()
    for (const { received_at, ...record } of records) {
      const values = kept.keys.map((key) => (record as Record<string, string | null>)[key])
      if (values.every((value) => value !== null && value !== ''))
        names.set(values.join(' '), {
          ...Object.fromEntries(kept.keys.map((key, at) => [key, values[at]])),
          last_on: received_at.slice(0, 10),
        })
    }
    if (names.size === 0) continue
    await sql`
      INSERT INTO ${sql.table(kept.table)} (${columnsOf(kept)}, last_on)
      SELECT ${columnsOf(kept)}, last_on
      FROM json_to_recordset(${JSON.stringify([...names.values()])}::json) AS sent (park_id uuid, person_id uuid, contact_id uuid, ${sql.ref(kept.name)} text, last_on date)
      WHERE NOT EXISTS (SELECT 1 FROM ${sql.table(kept.table)} AS known WHERE ${conditionOf(kept, 'known', 'sent')} AND known.last_on >= sent.last_on)
      ORDER BY ${columnsOf(kept)}
      ${laterOf(kept)}`.execute(db)
  }
}

/** Whose records have a name: null where they are too many to be named, or not all known yet. */
export interface Named {
  personIds: string[] | null
  contactIds: string[] | null
}

/** Persons, and contacts who came in their place, whose records have a name that contains a text. */
export async function findNamed(scope: Scope, db: Database<RecordTables>, text: string): Promise<Named> {
  const { rows } = await sql<{ personIds: string[]; contactIds: string[]; isPartial: boolean }>`
    SELECT ARRAY(SELECT DISTINCT person_id FROM record_name WHERE park_id = ${scope.parkId} AND person_name ILIKE ${personalPattern(scope, text)} LIMIT ${NAMED_MAX + 1}) AS "personIds",
      ARRAY(SELECT DISTINCT contact_id FROM record_contact_name WHERE park_id = ${scope.parkId} AND contact_name ILIKE ${personalPattern(scope, text)} LIMIT ${NAMED_MAX + 1}) AS "contactIds",
      EXISTS (SELECT 1 FROM passage_backlog WHERE park_id = ${scope.parkId}) AS "isPartial"`.execute(db)
  const { personIds, contactIds, isPartial } = rows[0]!
  const few = (ids: string[]): string[] | null => (isPartial || ids.length > NAMED_MAX ? null : ids)
  return { personIds: few(personIds), contactIds: few(contactIds) }
}

/** Whoever writes names from records, and whoever takes one out of them, do it one after the other. */
const NAMES_LOCK = 7_140_063

/** Notes the names of records of some moments that are there. In a transaction of its own, not one that keeps seeing what was. */
export async function noteNames(scope: Scope, tx: Tx<RecordNameTables>, from: number, to: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(tx)
  for (const kept of KEPT) {
    const isThere = sql.join(
      kept.keys.map((key) => sql`${sql.ref(key)} IS NOT NULL`),
      sql` AND `,
    )
    await sql`
      INSERT INTO ${sql.table(kept.table)} (${columnsOf(kept)}, last_on)
      SELECT ${columnsOf(kept)}, max(received_at)::date FROM access_record
      WHERE park_id = ${scope.parkId} AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)} AND ${isThere} AND ${sql.ref(kept.name)} <> ''
      GROUP BY ${columnsOf(kept)} ORDER BY ${columnsOf(kept)}
      ${laterOf(kept)}`.execute(tx)
  }
}

/** A pseudonym in place of all a person was called; of contacts nothing. */
export async function pseudonymiseNames(scope: Scope, db: Db, personId: string, pseudonym: { id: string; name: string }): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(db)
  await db.deleteFrom('record_contact_name').where('park_id', '=', scope.parkId).where('person_id', '=', personId).execute()
  const { rows } = await sql<{
    lastOn: string
  }>`DELETE FROM record_name WHERE park_id = ${scope.parkId} AND person_id = ${personId} RETURNING last_on AS "lastOn"`.execute(db)
  const lastOn = rows
    .map((row) => row.lastOn)
    .toSorted()
    .at(-1)
  if (lastOn === undefined) return
  await db
    .insertInto('record_name')
    .values({ park_id: scope.parkId, person_id: pseudonym.id, person_name: pseudonym.name, last_on: lastOn })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes all that records called these persons, and those who came in their places. */
export async function deleteNamesOf(scope: Scope, db: Db, personIds: readonly string[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(db)
  for (const { table } of KEPT)
    await sql`DELETE FROM ${sql.table(table)} WHERE park_id = ${scope.parkId} AND person_id = ${oneOf(personIds)}`.execute(db)
}

/** Names that no record came under since a day, and that none has any more. Unscoped: a job does it for all parks. */
export async function deleteForgottenNamesUnscoped(db: Database<RecordTables>, before: string): Promise<void> {
  for (const kept of KEPT)
    await sql`DELETE FROM ${sql.table(kept.table)} AS known WHERE last_on < ${before} AND NOT EXISTS (SELECT 1 FROM access_record AS record WHERE ${conditionOf(kept, 'record', 'known')})`.execute(
      db,
    )
}
