/** The table of scheduled jobs. It replaces the schema of pg-boss, which ran them in earlier versions. */
import { sql } from 'kysely'
import type { Json } from '../database/json.ts'
import type { ContextMigration } from '../database/migrations.ts'

declare module '../database/tables.ts' {
  interface NarrowedColumns {
    scheduledJob: {
      /** Cron expression in UTC that `due_at` is computed from. */
      schedule: string
      /** The slot to run next; in the past if no node ran at that moment. */
      dueAt: number
      /** Runs started since the last one that ended and is not to be retried. */
      tries: number
      /** Before `started_at` while the job runs, and after an interrupted run. */
      endedAt: number | null
      /** The result of the last run that ended, or the error it threw. */
      output: Json<unknown> | null
    }
  }
}

export const jobsMigration: ContextMigration = {
  name: '20261129T1710-platform-scheduled-jobs',
  async up(db) {
    await sql`CREATE TABLE scheduled_job (
      name text PRIMARY KEY, schedule text NOT NULL, due_at timestamptz(3) NOT NULL, tries smallint NOT NULL DEFAULT 0,
      started_at timestamptz(3), ended_at timestamptz(3), output jsonb)`.execute(db)
    // A schema of that name without the tables of pg-boss belongs to another program.
    await sql`DO $$ BEGIN
      IF to_regclass('jobs.job') IS NOT NULL AND to_regclass('jobs.schedule') IS NOT NULL AND to_regclass('jobs.version') IS NOT NULL THEN
        DROP SCHEMA jobs CASCADE;
      END IF;
    END $$`.execute(db)
  },
  columns: {
    scheduled_job: {
      name: 'none',
      schedule: 'none',
      due_at: 'none',
      tries: 'none',
      started_at: 'none',
      ended_at: 'none',
      output: 'none',
    },
  },
}
