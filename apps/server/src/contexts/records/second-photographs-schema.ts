/** The table of answers about passages whose picture could be a second photograph: none of them is offered again. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    secondPhotograph: {
      /** Of the record. */
      occurredAt: number
      /** The photograph made of its picture; null: the picture is not to be a photograph. */
      faceId: string | null
    }
  }
}

export const secondPhotographMigrations: ContextMigration[] = [
  {
    name: '20261129T0620-access-second-photographs',
    async up(db) {
      await sql`CREATE TABLE second_photograph (
        record_id uuid PRIMARY KEY, park_id uuid NOT NULL, occurred_at timestamptz(3) NOT NULL, person_id uuid NOT NULL, face_id uuid,
        answered_at timestamptz(3) NOT NULL)`.execute(db)
      // Answers are deleted with their person, and by time with dropped records.
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
