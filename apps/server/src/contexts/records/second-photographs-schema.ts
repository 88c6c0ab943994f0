/** What was said of passages whose picture could be the second photograph of a person: none of them is offered again. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export interface SecondPhotographTables {
  second_photograph: {
    record_id: string
    park_id: string
    /** Of the record. */
    occurred_at: Date | number
    person_id: string
    /** The photograph that was made of it; null: the picture is not to be one. */
    face_id: string | null
    answered_at: Date | number
  }
}

export const secondPhotographMigrations: ContextMigration[] = [
  {
    name: '20261129T0620-access-second-photographs',
    async up(db) {
      await sql`CREATE TABLE second_photograph (
        record_id uuid PRIMARY KEY, park_id uuid NOT NULL, occurred_at timestamptz(3) NOT NULL, person_id uuid NOT NULL, face_id uuid,
        answered_at timestamptz(3) NOT NULL)`.execute(db)
      // Whoever is deleted takes theirs along; so do records that are dropped, by time.
      await sql`CREATE INDEX second_photograph_person ON second_photograph (park_id, person_id)`.execute(db)
      await sql`CREATE INDEX second_photograph_time ON second_photograph (occurred_at)`.execute(db)
    },
    columns: {
      second_photograph: {
        record_id: 'none',
        park_id: 'none',
        occurred_at: 'none',
        person_id: 'none',
        face_id: 'none',
        answered_at: 'none',
      },
    },
  },
]
