/** Moves the values of changes in the operation log from clear text into a sealed part of each change. */
import { sql } from 'kysely'
import { sealChange, type ClearChange } from './sealed.ts'
import { forRows } from '../storage/bound-migration.ts'
import type { ContextMigration } from '../database/migrations.ts'

/** Entries at a time: the entry of an import contains thousands of changes. */
const AT_ONCE = 100

interface FormerEntry {
  id: string
  park_id: string
  changes: ClearChange[]
}

export const auditSealedMigration: ContextMigration = {
  name: '20261127T1300-platform-audit-sealed',
  async up(db, keys) {
    // A change whose name and values are removed loses its sealed part too.
    await sql`CREATE OR REPLACE FUNCTION forget_changes(changes jsonb, entity text, id text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_agg(CASE WHEN one->>'entity' = $2 AND one->>'id' = $3
        THEN jsonb_build_object('entity', one->'entity', 'id', one->'id')
          || CASE WHEN one ? 'watched' THEN '{"watched": true}'::jsonb ELSE '{}'::jsonb END
        ELSE one END), '[]'::jsonb)
      FROM jsonb_array_elements($1) one $$`.execute(db)

    const { rows: first } = await sql`SELECT FROM operation_log LIMIT 1`.execute(db)
    if (first.length === 0) return
    // The table is rewritten: rows updated in place would leave their old values in its file, in a log of a million rows for good.
    // Meanwhile the rows to be sealed are kept out of the write-ahead log.
    await sql`LOCK TABLE operation_log IN ACCESS EXCLUSIVE MODE`.execute(db)
    const { rows: columns } = await sql<{ name: string }>`SELECT attname AS name FROM pg_attribute
      WHERE attrelid = 'operation_log'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`.execute(db)
    const kept = columns.filter(({ name }) => name !== 'changes').map(({ name }) => name)
    const ofTable = (table: string) => sql.join(kept.map((name) => sql.ref(`${table}.${name}`)))
    await sql`CREATE UNLOGGED TABLE former_operation_log AS SELECT ${ofTable('operation_log')}, changes FROM operation_log`.execute(db)
    await sql`ALTER TABLE former_operation_log ADD PRIMARY KEY (id)`.execute(db)
    await sql`TRUNCATE operation_log`.execute(db)
    // Text indexes are expensive to maintain row by row, so they are dropped and created again at the end.
    const { rows: indexes } = await sql<{
      name: string
      definition: string
    }>`SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = 'public' AND tablename = 'operation_log' AND indexdef LIKE '%USING gin%'`.execute(db)
    for (const { name } of indexes) await sql`DROP INDEX ${sql.ref(name)}`.execute(db)
    const crypto = await keys()
    await forRows<FormerEntry>(
      db,
      'former_operation_log',
      ['id', 'park_id', 'changes'],
      async (rows) => {
        const sealed = await Promise.all(
          rows.map(async ({ id, park_id: parkId, changes }) => ({
            id,
            changes: await Promise.all(changes.map((change) => sealChange(crypto, parkId, id, change))),
          })),
        )
        await sql`INSERT INTO operation_log (${sql.join(kept.map((name) => sql.ref(name)))}, changes)
          SELECT ${ofTable('former')}, made.changes
          FROM jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) AS made (id uuid, changes jsonb)
          JOIN former_operation_log AS former USING (id)`.execute(db)
      },
      AT_ONCE,
    )
    await sql`DROP TABLE former_operation_log`.execute(db)
    for (const { definition } of indexes) await sql.raw(definition).execute(db)
    // The statistics of the columns contain samples of their values. The old samples stay in a file until the nightly job rewrites it.
    await sql`ANALYZE operation_log`.execute(db)
    await sql`INSERT INTO leftovers (since) VALUES (now())`.execute(db)
  },
  columns: {},
}
