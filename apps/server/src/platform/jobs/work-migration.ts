/** The table of long work. The index `work_open` covers work that waits or runs, which is all that is read to find what is next. */
import type { Json } from '../database/json.ts'
import { sql } from 'kysely'
import type { ContextMigration } from '../database/migrations.ts'

declare module '../database/tables.ts' {
  interface NarrowedColumns {
    work: {
      state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
      /** State that the work passes on to its next attempt. */
      kept: Json<unknown> | null
      /** Id of the present attempt; null while there is none. */
      runner: string | null
      /** When the attempt last reported, by the database's clock; an attempt without a report for a while counts as dead. */
      beatAt: number | null
      /** When an attempt last ended without ending the work; null before that. */
      servedAt: number | null
    }
  }
}

export const workMigration: ContextMigration = {
  name: '20261121T0100-platform-work',
  async up(db) {
    await sql`CREATE TABLE work (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, state text NOT NULL, input jsonb NOT NULL, kept jsonb,
      done bigint NOT NULL DEFAULT 0, total bigint, failed bigint NOT NULL DEFAULT 0, reason text, runner uuid, beat_at timestamptz(3),
      created_at timestamptz(3) NOT NULL, started_at timestamptz(3), ended_at timestamptz(3))`.execute(db)
    await sql`CREATE UNIQUE INDEX work_open ON work (park_id, kind) WHERE state IN ('waiting', 'running')`.execute(db)
    await sql`CREATE INDEX work_latest ON work (park_id, kind, created_at)`.execute(db)
  },
  columns: {
    work: {
      id: 'none',
      park_id: 'none',
      kind: 'none',
      state: 'none',
      input: 'none',
      kept: 'none',
      done: 'none',
      total: 'none',
      failed: 'none',
      reason: 'none',
      runner: 'none',
      beat_at: 'none',
      created_at: 'none',
      started_at: 'none',
      ended_at: 'none',
    },
  },
}

export const workTurnsMigration: ContextMigration = {
  name: '20261129T1715-platform-work-turns',
  async up(db) {
    await sql`ALTER TABLE work ADD COLUMN served_at timestamptz(3)`.execute(db)
  },
  columns: { work: { served_at: 'none' } },
}
