/** Migrations that seal values again that were sealed before they were bound to their place: each value of a column for its own row. */
import type { Crypto } from '../encryption/crypto.ts'
import { snakeCase } from '../database/names.ts'
import { sql, type Database } from '../database/database.ts'
import { INSTALLATION_ID } from '../installation.ts'
import type { ContextMigration } from '../database/migrations.ts'
import { placeOf, type SealedColumn } from '../encryption/sealed-column.ts'

/** Rows that are read and written at a time. */
const BATCH = 1_000

/**
 * Process the rows of a table in batches. The table is locked, so that no other transaction changes it until the migration ends.
 * @param atOnce rows per batch: fewer where rows may be large
 */
export async function forRows<Row>(
  db: Database,
  table: string,
  columns: readonly string[],
  work: (rows: Row[]) => Promise<void>,
  atOnce = BATCH,
): Promise<void> {
  await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(db)
  const names = sql.join([...new Set(columns)].map((column) => sql.ref(column)))
  await sql`DECLARE migrated_rows NO SCROLL CURSOR FOR SELECT ${names} FROM ${sql.table(table)}`.execute(db)
  for (;;) {
    const { rows } = await sql<Row>`FETCH ${sql.lit(atOnce)} FROM migrated_rows`.execute(db)
    if (rows.length === 0) break
    await work(rows)
  }
  await sql`CLOSE migrated_rows`.execute(db)
}

/**
 * Update many rows.
 * @param key columns that identify a row
 * @param rows by column names in camel case or snake case, keys included; all have the same columns
 */
export async function setRows(
  db: Database,
  table: string,
  key: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const { rows: types } = await sql<{ name: string; type: string }>`SELECT attname AS name, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped`.execute(db)
  const typeOf = new Map(types.map(({ name, type }) => [name, type]))
  const given = Object.keys(first)
  const names = given.map(snakeCase)
  const lists = given.map((name) => sql`${sql.val(rows.map((row) => row[name]))}::${sql.raw(`${typeOf.get(snakeCase(name))!}[]`)}`)
  const ref = (of: string) => (name: string) => sql`${sql.ref(`${of}.${name}`)}`
  await sql`UPDATE ${sql.table(table)} AS held
    SET ${sql.join(names.filter((name) => !key.includes(name)).map((name) => sql`${sql.ref(name)} = ${ref('made')(name)}`))}
    FROM unnest(${sql.join(lists)}) AS made (${sql.join(names.map((name) => sql.ref(name)))})
    WHERE ${sql.join(
      key.map((name) => sql`${ref('held')(name)} = ${ref('made')(name)}`),
      sql` AND `,
    )}`.execute(db)
}

async function bind(db: Database, keys: () => Promise<Crypto>, sealed: SealedColumn): Promise<void> {
  const { table, column, park, key } = sealed
  const names = [...key, column, ...(park === null ? [] : [park])]
  await forRows<Record<string, unknown>>(db, table, names, async (rows) => {
    const filled = rows.filter((row) => row[column] !== null)
    if (filled.length === 0) return
    const crypto = await keys()
    const bound = filled.map(async (row) => {
      const parkId = park === null ? INSTALLATION_ID : (row[park] as string)
      const place = placeOf(sealed, ...key.map((name) => String(row[name])))
      const value = await crypto.seal(parkId, place, await crypto.openUnbound(parkId, row[column] as Buffer))
      return { ...Object.fromEntries(key.map((name) => [name, row[name]])), [column]: value }
    })
    await setRows(db, table, key, await Promise.all(bound))
  })
}

/**
 * Return a migration that binds columns with sealed values.
 * @param name as of any migration
 */
export const boundMigration = (name: string, columns: readonly SealedColumn[]): ContextMigration => ({
  name,
  sealed: columns,
  async up(db, keys) {
    for (const column of columns) await bind(db, keys, column)
  },
  columns: {},
})
