/** Tables of captures: faces that passed cameras, what tasks made of each, and which pictures of cameras were taken. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    capture: {
      /** Encrypted little-endian float32 of the model `modelId`; null where none could be made. */
      template: Buffer | null
      modelId: string | null
      /** Null until the picture has arrived. */
      fileId: string | null
      /** When it was compared; null: it could not be yet, or nobody looks out by this model. */
      comparedAt: number | null
      /** Until when it is kept, as was set when it was taken; null: as long as all captures. */
      keptUntil: number | null
    }
    captureMatch: {
      /** Null, as group and score: nobody of the task was near enough. */
      personId: string | null
      groupId: string | null
      /** 0 to 100, raw. */
      score: number | null
    }
    /** Pictures that cameras posted, so that each is taken once. */
    postedCapture: {}
  }
}

/** Templates of captures. */
export const CAPTURE_TEMPLATE: SealedColumn = { table: 'capture', column: 'template', park: 'park_id', key: ['id'] }

export const capturesMigrations: ContextMigration[] = [
  {
    name: '20261130T1930-surveillance-captures',
    sealed: [CAPTURE_TEMPLATE],
    async up(db) {
      await sql`CREATE TABLE capture (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL, device_type smallint NOT NULL,
        entered_at timestamptz(3) NOT NULL, captured_at timestamptz(3) NOT NULL, left_at timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL, quality double precision NOT NULL, face_width integer NOT NULL, model_id text,
        template bytea, file_id uuid, compared_at timestamptz(3))`.execute(db)
      // Templates are as long as they are random: compressing them costs time and saves nothing.
      await sql`ALTER TABLE capture ALTER COLUMN template SET STORAGE EXTERNAL`.execute(db)
      // The first serves the list, the second that of single devices, the third finds what is kept no longer.
      await sql`CREATE INDEX capture_newest ON capture (park_id, captured_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX capture_of_device ON capture (park_id, device_id, captured_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX capture_received ON capture (received_at)`.execute(db)
      await sql`CREATE TABLE capture_match (
        id uuid PRIMARY KEY, capture_id uuid NOT NULL REFERENCES capture (id) ON DELETE CASCADE, park_id uuid NOT NULL,
        captured_at timestamptz(3) NOT NULL, device_id uuid NOT NULL, task_id uuid NOT NULL, task_name text NOT NULL,
        person_id uuid, person_name text NOT NULL, group_id uuid, group_name text NOT NULL, score double precision)`.execute(db)
      await sql`CREATE INDEX capture_match_of_capture ON capture_match (capture_id)`.execute(db)
      await sql`CREATE INDEX capture_match_newest ON capture_match (park_id, captured_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX capture_match_of_task ON capture_match (park_id, task_id, captured_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX capture_match_of_person ON capture_match (park_id, person_id, captured_at DESC, id DESC)
        WHERE person_id IS NOT NULL`.execute(db)
      await sql`CREATE TABLE posted_capture (
        device_id uuid NOT NULL, event_id text NOT NULL, park_id uuid NOT NULL, captures smallint NOT NULL,
        received_at timestamptz(3) NOT NULL, PRIMARY KEY (device_id, event_id))`.execute(db)
      await sql`CREATE INDEX posted_capture_received ON posted_capture (received_at)`.execute(db)
    },
    columns: {
      capture: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        device_name: 'none',
        device_type: 'none',
        entered_at: 'none',
        captured_at: 'none',
        left_at: 'none',
        received_at: 'none',
        quality: 'none',
        face_width: 'none',
        model_id: 'none',
        template: 'biometric',
        file_id: 'biometric',
        compared_at: 'none',
      },
      capture_match: {
        id: 'none',
        capture_id: 'none',
        park_id: 'none',
        captured_at: 'none',
        device_id: 'none',
        task_id: 'none',
        task_name: 'none',
        person_id: 'none',
        person_name: 'personal',
        group_id: 'none',
        group_name: 'none',
        score: 'none',
      },
      posted_capture: { device_id: 'none', event_id: 'none', park_id: 'none', captures: 'none', received_at: 'none' },
    },
  },
]
