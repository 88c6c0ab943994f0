/** Tables of cameras that keep captures for hours, or of nobody who matches no task. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** How many passed a camera on a day, without the time of anybody. */
    capturePassing: {}
    /** Cuts in which a camera lost captures. */
    captureLoss: {}
  }
}

export const keepingMigrations: ContextMigration[] = [
  {
    name: '20261130T2230-surveillance-keeping',
    async up(db) {
      await sql`ALTER TABLE capture ADD COLUMN kept_until timestamptz(3)`.execute(db)
      await sql`CREATE INDEX capture_kept_until ON capture (kept_until) WHERE kept_until IS NOT NULL`.execute(db)
      await sql`CREATE TABLE capture_passing (
        park_id uuid NOT NULL, device_id uuid NOT NULL, day text NOT NULL, passed integer NOT NULL, kept integer NOT NULL,
        PRIMARY KEY (device_id, day))`.execute(db)
      await sql`CREATE TABLE capture_loss (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, count integer NOT NULL, from_time timestamptz(3) NOT NULL,
        to_time timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX capture_loss_of_device ON capture_loss (park_id, device_id, to_time DESC)`.execute(db)
    },
    columns: {
      capture: { kept_until: 'none' },
      capture_passing: { park_id: 'none', device_id: 'none', day: 'none', passed: 'none', kept: 'none' },
      capture_loss: { id: 'none', park_id: 'none', device_id: 'none', count: 'none', from_time: 'none', to_time: 'none' },
    },
  },
  {
    name: '20261201T0410-surveillance-matched-only',
    async up(db) {
      // For some hours the migration above made this column.
      await sql`ALTER TABLE capture ADD COLUMN IF NOT EXISTS matched_only boolean NOT NULL DEFAULT false`.execute(db)
    },
    columns: { capture: { matched_only: 'none' } },
  },
]
