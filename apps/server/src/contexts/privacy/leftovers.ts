/**
 * Deleted and changed rows stay readable in the files of a database until their room is used again. After an erasure the tables
 * that hold personal data are written again, so that name and number of the person are in none of their files.
 *
 * What this does not reach is said in docs/operations/backup.md: backups, the write-ahead log until it is overwritten, and the
 * free room of tables too large to be locked for the time it takes.
 */
import type { Platform } from '../../platform/context.ts'
import { sql } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { ColumnTags } from '../../platform/database/migrations.ts'
import { leftoversUntilUnscoped, noteClearedUnscoped } from './data.ts'

/** Bytes of a table that may be written again: it is locked meanwhile, for a few seconds at this size. */
const REWRITTEN_MAX = 64 * 1_048_576
/** PostgreSQL's codes for a lock that was not had in time, and for what the role may not do. */
const [NOT_LOCKED, NOT_ALLOWED] = ['55P03', '42501']

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

/** Tables in which something about people may stand. */
const personalTables = (columns: ColumnTags): string[] =>
  Object.entries(columns)
    .filter(([, tags]) => Object.values(tags).some((tag) => tag === 'personal' || tag === 'biometric'))
    .map(([table]) => table)

/** The nightly job `privacy.clearLeftovers`. @param columns tags of all columns of the installation */
export function createLeftoversJob({ db, log }: Pick<Platform, 'db' | 'log'>, columns: () => ColumnTags): Job {
  /** Return whether a transaction that began before may still need to see what was erased. */
  async function isStillSeen(until: string): Promise<boolean> {
    const { rows } = await sql<{ seen: boolean }>`SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL
      AND xact_start < ${until}::timestamptz) AS seen`.execute(db)
    return rows[0]!.seen
  }

  /** The tables themselves and their months. */
  async function relations(): Promise<{ name: string; size: number }[]> {
    const { rows } = await sql<{ name: string; size: number }>`SELECT relname AS name, pg_table_size(oid) AS size FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND coalesce(pg_partition_root(oid), oid)::regclass::text = ANY(${sql.val(personalTables(columns()))}::text[])
      ORDER BY 1`.execute(db)
    return rows
  }

  /** Return whether every table could be had. */
  const rewrite = async (tables: readonly { name: string; size: number }[]): Promise<boolean> =>
    db.connection().execute(async (connection) => {
      let complete = true
      // Nobody is to wait behind this for longer.
      await sql`SET lock_timeout = '2s'`.execute(connection)
      try {
        for (const { name, size } of tables) {
          try {
            if (size > REWRITTEN_MAX) await sql`VACUUM (ANALYZE) ${sql.table(name)}`.execute(connection)
            else await sql`VACUUM (FULL, ANALYZE) ${sql.table(name)}`.execute(connection)
          } catch (error) {
            if (codeOf(error) !== NOT_LOCKED) throw error
            complete = false
          }
        }
        // Samples of all columns, names among them.
        await sql`VACUUM (FULL) pg_catalog.pg_statistic`.execute(connection)
        return complete
      } finally {
        await sql`SET lock_timeout = '10s'`.execute(connection)
      }
    })

  /** Lets PostgreSQL reuse its log, in which the old rows stand too. */
  async function checkpoint(): Promise<void> {
    try {
      await sql`CHECKPOINT`.execute(db)
    } catch (error) {
      if (codeOf(error) !== NOT_ALLOWED) throw error
    }
  }

  return {
    name: 'privacy.clearLeftovers',
    schedule: '50 3 * * *',
    async run() {
      const until = await leftoversUntilUnscoped(db)
      if (until === null) return { outcome: 'skipped', counts: { tablesRewritten: 0 } }
      if (await isStillSeen(until)) {
        log.info('a long transaction may still see what was erased; its room in the database is cleared the next night')
        return { outcome: 'skipped', counts: { tablesRewritten: 0 } }
      }
      const tables = await relations()
      const complete = await rewrite(tables)
      await checkpoint()
      if (complete) await noteClearedUnscoped(db, until)
      return { outcome: 'success', counts: { tablesRewritten: tables.length } }
    },
  }
}
