/** Photographs of persons and the templates made of them. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/migrations.ts'

export interface FacesTables {
  face: {
    id: string
    park_id: string
    /** Null while the photograph is only cached: checked, but no person saved with it yet. */
    person_id: string | null
    position: number
    file_id: string
    model_id: string
    /** Encrypted little-endian float32. */
    template: Buffer
    quality: unknown
    created_at: Date | number
  }
}

export const facesMigrations: ContextMigration[] = [
  {
    name: '20261120T1803-faces-initial',
    async up(db) {
      await sql`CREATE TABLE face (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid, position smallint NOT NULL, file_id uuid NOT NULL,
        model_id text NOT NULL, template bytea NOT NULL, quality jsonb NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX face_person ON face (person_id, position)`.execute(db)
      await sql`CREATE INDEX face_park ON face (park_id)`.execute(db)
      await sql`CREATE INDEX face_cached ON face (created_at) WHERE person_id IS NULL`.execute(db)
    },
    columns: {
      face: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        position: 'none',
        file_id: 'biometric',
        model_id: 'none',
        template: 'biometric',
        quality: 'none',
        created_at: 'none',
      },
    },
  },
]
