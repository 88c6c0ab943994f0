/** The table of corrections, and the liveness score of records. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** The correction of an access record with a wrong match. It holds only ids; names are in the access record. */
    recordCorrection: {
      /** The person whom the terminal recognised. */
      personId: string
      /** The look-alike pair that the correction added; null where the pair existed already, or no other person was named. */
      pairId: string | null
      /** Photographs that the correction requested to be set aside, including those that already were. */
      askedAside: string[]
      /** Photographs that the correction set aside itself, and when: `{ faceId: epoch milliseconds }`. */
      setAside: Json<Record<string, number>>
      /** The person's threshold set by the correction; null: not changed. `threshold_before` is the one before; null: that of the park. */
      threshold: number | null
    }
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
      // Few records have a score: a list of them reads nothing else.
      await sql`CREATE INDEX access_record_liveness ON access_record (park_id, occurred_at DESC, id DESC)
        WHERE liveness IS NOT NULL`.execute(db)
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
