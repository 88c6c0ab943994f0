/** Tables of how single persons are compared: individual thresholds, and pairs of persons who look alike. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Whether a pair comes from a correction in the clinic or from an administrator. */
export type PairOrigin = 'clinic' | 'hand'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Persons with an individual threshold, lower than that for everybody only where it `loosens`; others have no row. */
    facePerson: {}
    /** Two persons who are taken for each other, in either order. */
    facePair: {
      origin: PairOrigin
      /** The record in which one was taken for the other. */
      recordId: string | null
    }
  }
}

export const matchingMigrations: ContextMigration[] = [
  {
    name: '20261121T1010-faces-matching',
    async up(db) {
      await sql`CREATE TABLE face_person (
        person_id uuid PRIMARY KEY, park_id uuid NOT NULL, threshold double precision NOT NULL,
        updated_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX face_person_park ON face_person (park_id)`.execute(db)
      await sql`CREATE TABLE face_pair (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL, other_id uuid NOT NULL, origin text NOT NULL,
        record_id uuid, created_at timestamptz(3) NOT NULL, CHECK (person_id <> other_id))`.execute(db)
      await sql`CREATE UNIQUE INDEX face_pair_unordered ON face_pair (park_id, least(person_id, other_id), greatest(person_id,
        other_id))`.execute(db)
      await sql`CREATE INDEX face_pair_person ON face_pair (person_id)`.execute(db)
      await sql`CREATE INDEX face_pair_other ON face_pair (other_id)`.execute(db)
    },
    columns: {
      face_person: { person_id: 'none', park_id: 'none', threshold: 'none', updated_at: 'none' },
      face_pair: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        other_id: 'none',
        origin: 'none',
        record_id: 'none',
        created_at: 'none',
      },
    },
  },
  {
    name: '20261129T0540-faces-matching-loosens',
    async up(db) {
      // Administrators who set the existing thresholds were not warned that a lower one loosens.
      await sql`ALTER TABLE face_person ADD COLUMN loosens boolean NOT NULL DEFAULT false`.execute(db)
    },
    columns: { face_person: { loosens: 'none' } },
  },
]
