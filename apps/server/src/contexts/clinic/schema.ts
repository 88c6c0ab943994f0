/** What was said about records in the wrong-match clinic, and what a record tells of liveness. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export interface ClinicTables {
  /** One record taken for the wrong person. Names stand in the record, here are ids only. */
  record_correction: {
    id: string
    park_id: string
    record_id: string
    record_time: Date | number
    device_id: string
    /** Who the terminal took it for. */
    person_id: string
    actual_person_id: string | null
    /** The pair of look-alikes it added; null where there was one already, or nobody was named. */
    pair_id: string | null
    /** Photographs it asked to be set aside, those that were so already among them. */
    asked_aside: string[]
    /** Those it has set aside itself, and when: `{ faceId: epoch milliseconds }`. Written as JSON text. */
    set_aside: Record<string, number> | string
    /** Threshold it gave the person, and what stood there before; null: left as it was, or the park's. */
    threshold: number | null
    threshold_before: number | null
    note: string
    created_by: string
    created_at: Date | number
  }
}

export const clinicMigrations: ContextMigration[] = [
  {
    name: '20261121T1020-access-clinic',
    async up(db) {
      await sql`CREATE TABLE record_correction (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, record_id uuid NOT NULL, record_time timestamptz(3) NOT NULL, device_id uuid NOT NULL,
        person_id uuid NOT NULL, actual_person_id uuid, pair_id uuid, asked_aside uuid[] NOT NULL, set_aside jsonb NOT NULL,
        threshold double precision, threshold_before double precision, note text NOT NULL, created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX record_correction_record ON record_correction (record_id)`.execute(db)
      await sql`CREATE INDEX record_correction_newest ON record_correction (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX record_correction_person ON record_correction (park_id, person_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX record_correction_device ON record_correction (park_id, device_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX record_correction_time ON record_correction (record_time)`.execute(db)
      await sql`ALTER TABLE access_record ADD COLUMN liveness double precision`.execute(db)
      // Few records carry a score: a list of those reads nothing else.
      await sql`CREATE INDEX access_record_liveness ON access_record (park_id, occurred_at DESC, id DESC) WHERE liveness IS NOT NULL`.execute(
        db,
      )
    },
    columns: {
      record_correction: {
        id: 'none',
        park_id: 'none',
        record_id: 'none',
        record_time: 'none',
        device_id: 'none',
        person_id: 'none',
        actual_person_id: 'none',
        pair_id: 'none',
        asked_aside: 'none',
        set_aside: 'none',
        threshold: 'none',
        threshold_before: 'none',
        note: 'personal',
        created_by: 'personal',
        created_at: 'none',
      },
      access_record: { liveness: 'none' },
    },
  },
]
