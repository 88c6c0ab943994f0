/** Contents of a world's database, to check that something changed nothing. */
import type { World } from '@gatehouse/dev-env/world'
import { query } from './embedded-postgres.ts'

/** Return a fingerprint of each of our tables. @param except tables that may change */
export async function contentsOf(world: World, except: readonly string[] = []): Promise<Map<string, string>> {
  const tables = await query<{ name: string }>(
    world.connectionString,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'kysely_%' order by 1`,
  )
  const asked = tables.filter(({ name }) => !except.includes(name))
  const prints = asked.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))),
        '') as print from "${name}" t`,
  )
  const rows = await query<{ name: string; print: string }>(world.connectionString, prints.join(' union all '))
  return new Map(rows.map(({ name, print }) => [name, print]))
}

/** Return the names of tables whose rows differ: a failure then shows where to look. */
export function changedTables(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
}
