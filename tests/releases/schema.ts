/** The schema of a database as text that can be compared, without what differs between installations. */
import { query } from '../support/embedded-postgres.ts'

/** Our tables. Partitions are created over time, and belong to their parent. */
const TABLES = `select oid, relname from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`

/** Columns, constraints, indexes, triggers, views, sequences and functions, each with its definition. */
const OBJECTS = `
  with tables as (${TABLES})
  select 'column ' || t.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || case when a.attnotnull then ' not null' else '' end
         || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || a.attidentity::text || a.attgenerated::text as object
    from tables t join pg_attribute a on a.attrelid = t.oid left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
   where a.attnum > 0 and not a.attisdropped
  union all
  -- NOT NULL stands with its column: PostgreSQL 18 keeps a constraint of it too.
  select 'constraint ' || t.relname || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
    from tables t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'
  union all
  select pg_get_indexdef(i.indexrelid) from tables t join pg_index i on i.indrelid = t.oid
  union all
  select pg_get_triggerdef(g.oid) from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
  union all
  select 'view ' || viewname || ' ' || definition from pg_views where schemaname = 'public'
  union all
  select 'sequence ' || sequencename || ' ' || data_type from pg_sequences where schemaname = 'public'
  union all
  select pg_get_functiondef(p.oid) from pg_proc p
   where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
     and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`

/** Return every object of the schema `public`, sorted. */
export async function schemaOf(connectionString: string): Promise<string[]> {
  return (await query<{ object: string }>(connectionString, OBJECTS)).map(({ object }) => object).toSorted()
}
