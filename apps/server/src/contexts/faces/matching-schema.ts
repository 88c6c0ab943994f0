/** How single persons are compared: thresholds of their own, and pairs of persons who look alike. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Whether a correction in the clinic or an administrator said so. */
export type PairOrigin = 'clinic' | 'hand'

export interface MatchingTables {
  /** Persons of whom doors ask another score than of everybody, less where it `loosens`; others have no row. */
  face_person: { person_id: string; park_id: string; threshold: number; loosens: boolean; updated_at: Date | number }
  /** Two persons taken for each other, in either order. */
  face_pair: {
    id: string
    park_id: string
    person_id: string
    other_id: string
    origin: PairOrigin
    /** The record in which one was taken for the other. */
    record_id: string | null
    created_at: Date | number
  }
}

export const matchingMigrations: ContextMigration[] = [
  {
    name: '20261121T1010-faces-matching',
    async up(db) {
      await sql`CREATE TABLE face_person (
        person_id uuid PRIMARY KEY, park_id uuid NOT NULL, threshold double precision NOT NULL, updated_at timestamptz(3) NOT NULL)`.execute(
        db,
      )
      await sql`CREATE INDEX face_person_park ON face_person (park_id)`.execute(db)
      await sql`CREATE TABLE face_pair (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL, other_id uuid NOT NULL, origin text NOT NULL,
        record_id uuid, created_at timestamptz(3) NOT NULL, CHECK (person_id <> other_id))`.execute(db)
      await sql`CREATE UNIQUE INDEX face_pair_unordered ON face_pair (park_id, least(person_id, other_id), greatest(person_id, other_id))`.execute(
        db,
      )
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
      // Nobody was warned about those there are.
      await sql`ALTER TABLE face_person ADD COLUMN loosens boolean NOT NULL DEFAULT false`.execute(db)
    },
    columns: { face_person: { loosens: 'none' } },
  },
]
