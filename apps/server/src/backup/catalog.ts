/** The tables of the installation as PostgreSQL's catalog describes them. */
import type { Client } from 'pg'
import type { Manifest, Table } from './manifest.ts'

/** A detached month of access records that waits to be deleted, and the table it belonged to. */
const DETACHED_MONTH = /^(access_record)_dropped_\d{4}_\d{2}$/
/** Written by the migrations themselves. */
const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** Quote an identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const rows = async <Row>(client: Client, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await client.query({ text, values })).rows as Row[]

const TABLES = `
  SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds, parent.relname AS parent,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attname COLLATE "C")
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
  FROM pg_class c
  LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  LEFT JOIN pg_class parent ON parent.oid = i.inhparent
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
  ORDER BY c.relname COLLATE "C"`

/** Pairs of tables: rows of the first refer to rows of the second. */
const REFERENCES = `
  SELECT DISTINCT source.relname AS source, target.relname AS target
  FROM pg_constraint k JOIN pg_class source ON source.oid = k.conrelid JOIN pg_class target ON target.oid = k.confrelid
  WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND k.conrelid <> k.confrelid`

/** Return all tables with rows, each after those it refers to. */
export async function listTables(client: Client): Promise<Table[]> {
  const found = await rows<{ name: string; bounds: string | null; parent: string | null; columns: Table['columns'] }>(client, TABLES, [
    MIGRATION_TABLES,
  ])
  const references = await rows<{ source: string; target: string }>(client, REFERENCES)
  const left = new Map(found.map((one) => [one.name, one]))
  const ordered: Table[] = []
  while (left.size > 0) {
    const free = [...left.values()].filter(({ name }) => !references.some(({ source, target }) => source === name && left.has(target)))
    if (free.length === 0) throw new Error(`the tables ${[...left.keys()].join(', ')} refer to each other in a circle`)
    for (const { name, bounds, parent, columns } of free) {
      left.delete(name)
      ordered.push({ name, columns, bounds, monthOf: parent ?? DETACHED_MONTH.exec(name)?.[1] ?? null })
    }
  }
  return ordered
}

export const listSequences = (client: Client): Promise<Manifest['sequences']> =>
  rows(
    client,
    'SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = ' +
      'current_schema() ORDER BY sequencename COLLATE "C"',
  )

/** Return the names of the migrations the database has run; none for a database that never ran one. */
export async function listMigrations(client: Client): Promise<string[]> {
  const [table] = await rows<{ present: boolean }>(client, `SELECT to_regclass('kysely_migration') IS NOT NULL AS present`)
  if (table?.present !== true) return []
  return (await rows<{ name: string }>(client, 'SELECT name FROM kysely_migration ORDER BY name')).map(({ name }) => name)
}

/** Return the number of tables, views, sequences and similar objects that were created in this database. */
export async function countObjects(client: Client): Promise<number> {
  const [found] = await rows<{ count: number }>(
    client,
    `SELECT count(*) AS count FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`,
  )
  return found!.count
}
