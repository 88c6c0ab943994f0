/** Rows of the names in records; every function takes the scope first, unless it works for the whole installation. */
import { sentRows } from '../../platform/database/sent-rows.ts'
import { oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewRecord } from './ingest-data.ts'

/** Above this number of persons or contacts of a name the records themselves are searched: a match is found every few rows. */
const NAMED_MAX = 2_000

/**
 * The names that are kept, each kind in its own table: the columns that identify the owner, and the column of the name, called as
 * in records.
 */
const NAME_TABLES = [
  {
    table: 'recordName',
    keys: ['parkId', 'personId', 'personName'],
    name: 'personName',
    columns: { parkId: 'uuid', personId: 'uuid', personName: 'text' },
  },
  {
    table: 'recordContactName',
    keys: ['parkId', 'personId', 'contactId', 'contactName'],
    name: 'contactName',
    columns: { parkId: 'uuid', personId: 'uuid', contactId: 'uuid', contactName: 'text' },
  },
] as const
type NameTable = (typeof NAME_TABLES)[number]

const columnsOf = ({ keys }: NameTable) => sql.join(keys.map((key) => sql.ref(key)))
const conditionOf = ({ keys }: NameTable, one: string, other: string) =>
  sql.join(
    keys.map((key) => sql`${sql.ref(`${one}.${key}`)} = ${sql.ref(`${other}.${key}`)}`),
    sql` AND `,
  )
const laterOf = (kept: NameTable) =>
  sql`ON CONFLICT (${columnsOf(kept)}) DO UPDATE SET last_on = greatest(${sql.ref(`${kept.table}.last_on`)}, excluded.last_on)`

type NamedRecord = Pick<NewRecord, 'parkId' | 'personId' | 'personName' | 'contactId' | 'contactName' | 'receivedAt'>

/**
 * Store the names of records that are stored in the same transaction. A name already noted today is not written again, so that
 * transactions do not wait for each other's rows. Unscoped: one transaction takes records of many parks.
 */
export async function insertNamesUnscoped(db: Database, records: readonly NamedRecord[]): Promise<void> {
  for (const kept of NAME_TABLES) {
    const names = new Map<string, Record<string, string | null | undefined>>()
    for (const { receivedAt, ...record } of records) {
      const values = kept.keys.map((key) => (record as Record<string, string | null>)[key])
      if (values.every((value) => value !== null && value !== ''))
        names.set(values.join(' '), {
          ...Object.fromEntries(kept.keys.map((key, at) => [key, values[at]])),
          lastOn: receivedAt.slice(0, 10),
        })
    }
    if (names.size === 0) continue
    await sql`
      INSERT INTO ${sql.table(kept.table)} (${columnsOf(kept)}, last_on)
      SELECT ${columnsOf(kept)}, last_on
      FROM ${sentRows([...names.values()], { ...kept.columns, lastOn: 'date' })} AS sent
      WHERE NOT EXISTS (SELECT 1 FROM ${sql.table(kept.table)} AS known
      WHERE ${conditionOf(kept, 'known', 'sent')} AND known.last_on >= sent.last_on)
      ORDER BY ${columnsOf(kept)}
      ${laterOf(kept)}`.execute(db)
  }
}

/** The owners of a name; null where there are too many of them, or where not all names are noted yet. */
export interface Named {
  personIds: string[] | null
  contactIds: string[] | null
}

/** Return the persons, and the contacts who came in a person's place, whose name in a record contains a text. */
export async function findNamed(scope: Scope, db: Database, text: string): Promise<Named> {
  const { rows } = await sql<{ personIds: string[]; contactIds: string[]; isPartial: boolean }>`
    SELECT ARRAY(SELECT DISTINCT person_id FROM record_name
    WHERE park_id = ${scope.parkId} AND person_name ILIKE ${personalPattern(scope, text)} LIMIT ${NAMED_MAX + 1}) AS "personIds",
      ARRAY(SELECT DISTINCT contact_id FROM record_contact_name
      WHERE park_id = ${scope.parkId} AND contact_name ILIKE ${personalPattern(scope, text)} LIMIT ${NAMED_MAX + 1}) AS "contactIds",
      EXISTS (SELECT 1 FROM passage_backlog WHERE park_id = ${scope.parkId}) AS "isPartial"`.execute(db)
  const { personIds, contactIds, isPartial } = rows[0]!
  const few = (ids: string[]): string[] | null => (isPartial || ids.length > NAMED_MAX ? null : ids)
  return { personIds: few(personIds), contactIds: few(contactIds) }
}

/** Advisory lock of transactions that derive names from records or remove a name from them. */
const NAMES_LOCK = 7_140_063

/**
 * Store the names of existing records of `[from, to)`. Requires a transaction of its own that sees rows committed meanwhile, not
 * one with an older snapshot.
 */
export async function noteNames(scope: Scope, tx: Transaction, from: number, to: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(tx)
  for (const kept of NAME_TABLES) {
    const isThere = sql.join(
      kept.keys.map((key) => sql`${sql.ref(key)} IS NOT NULL`),
      sql` AND `,
    )
    await sql`
      INSERT INTO ${sql.table(kept.table)} (${columnsOf(kept)}, last_on)
      SELECT ${columnsOf(kept)}, max(received_at)::date FROM access_record
      WHERE park_id = ${scope.parkId} AND occurred_at >= ${timestamp(from)} AND occurred_at < ${timestamp(to)} AND ${isThere}
      AND ${sql.ref(kept.name)} <> ''
      GROUP BY ${columnsOf(kept)} ORDER BY ${columnsOf(kept)}
      ${laterOf(kept)}`.execute(tx)
  }
}

/** Replace all names of a person by a pseudonym and delete those of the contacts who came in their place. */
export async function pseudonymiseNames(
  scope: Scope,
  db: Database,
  personId: string,
  pseudonym: { id: string; name: string },
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(db)
  await db.deleteFrom('recordContactName').where('parkId', '=', scope.parkId).where('personId', '=', personId).execute()
  const { rows } = await sql<{
    lastOn: string
  }>`DELETE FROM record_name WHERE park_id = ${scope.parkId} AND person_id = ${personId} RETURNING last_on AS "lastOn"`.execute(db)
  const lastOn = rows
    .map((row) => row.lastOn)
    .toSorted()
    .at(-1)
  if (lastOn === undefined) return
  await db
    .insertInto('recordName')
    .values({ parkId: scope.parkId, personId: pseudonym.id, personName: pseudonym.name, lastOn })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Delete all names of these persons, and of the contacts who came in their place. */
export async function deleteNamesOf(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`.execute(db)
  for (const { table } of NAME_TABLES)
    await sql`DELETE FROM ${sql.table(table)} WHERE park_id = ${scope.parkId} AND person_id = ${oneOf(personIds)}`.execute(db)
}

/** Delete the names of which no record has arrived since a day and which no record has any more. Unscoped: a job does it for all parks. */
export async function deleteForgottenNamesUnscoped(db: Database, before: string): Promise<void> {
  for (const kept of NAME_TABLES)
    await sql`DELETE FROM ${sql.table(kept.table)} AS known WHERE last_on < ${before} AND NOT EXISTS (SELECT 1
      FROM access_record AS record WHERE ${conditionOf(kept, 'record', 'known')})`.execute(db)
}
