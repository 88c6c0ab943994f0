/** How many captures there are of each hour and device: what a search must know before it begins, without reading millions of rows. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** The hour since 1970 (UTC), the device, and the model of the template; empty: it has none. */
const KEY = `park_id, floor(extract(epoch FROM captured_at) / 3600)::integer, device_id,
  CASE WHEN template IS NULL THEN '' ELSE coalesce(model_id, '') END`

const COLUMNS = 'park_id, hour, device_id, model_id, captures'

/**
 * Whoever changes captures adds rows of what came and what went, which nobody else has to wait for; the sum of the rows is right at any
 * moment, whatever statement it was. The job that deletes captures merges rows.
 */
export const capturesCountMigrations: ContextMigration[] = [
  {
    name: '20261130T2250-surveillance-capture-counts',
    async up(db) {
      await sql`CREATE TABLE capture_count (
        park_id uuid NOT NULL, hour integer NOT NULL, device_id uuid NOT NULL, model_id text NOT NULL, captures integer NOT NULL)`.execute(
        db,
      )
      await sql`CREATE INDEX capture_count_of_park ON capture_count (park_id, hour)`.execute(db)
      const came = `SELECT ${KEY}, count(*)::integer FROM came GROUP BY 1, 2, 3, 4`
      const went = `SELECT ${KEY}, -count(*)::integer FROM went GROUP BY 1, 2, 3, 4`
      const changed = `SELECT k1, k2, k3, k4, sum(n)::integer FROM (${came} UNION ALL ${went}) AS both_of (k1, k2, k3, k4, n)
        GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0`
      for (const [on, rows, tables] of [
        ['INSERT', came, 'NEW TABLE AS came'],
        ['DELETE', went, 'OLD TABLE AS went'],
        ['UPDATE', changed, 'NEW TABLE AS came OLD TABLE AS went'],
      ] as const) {
        const name = sql.raw(`count_captures_after_${on.toLowerCase()}`)
        await sql`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO capture_count (${sql.raw(COLUMNS)}) ${sql.raw(rows)}; RETURN NULL; END $$`.execute(db)
        await sql`CREATE TRIGGER ${name} AFTER ${sql.raw(on)} ON capture REFERENCING ${sql.raw(tables)}
          FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`.execute(db)
      }
      // After the triggers, whose creation lets nobody change captures until this is committed.
      await sql`INSERT INTO capture_count (${sql.raw(COLUMNS)})
        SELECT ${sql.raw(KEY)}, count(*)::integer FROM capture GROUP BY 1, 2, 3, 4`.execute(db)
    },
    columns: { capture_count: { park_id: 'none', hour: 'none', device_id: 'none', model_id: 'none', captures: 'none' } },
  },
]
