/** The table of long work. */
import { sql } from 'kysely'
import type { ContextMigration } from '../database/migrations.ts'

export interface WorkTables {
  work: {
    id: string
    park_id: string
    kind: string
    state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
    input: unknown
    /** What the work wants to be told when it is taken up again. */
    kept: unknown
    done: number
    total: number | null
    failed: number
    reason: string | null
    /** Names the present attempt; null while nobody works on it. */
    runner: string | null
    /** By the database's clock: an attempt that has not been heard of for a while is dead. */
    beat_at: Date | number | null
    created_at: Date | number
    started_at: Date | number | null
    ended_at: Date | number | null
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
