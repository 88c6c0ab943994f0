/** Captures by which the owner finds a threshold of liveness: what they scored and what they were, never the picture. */
import { sql } from 'kysely'
import type { CAPTURE_LABELS, CAPTURE_SOURCES } from '@gatehouse/contract/faces/liveness'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export type CaptureLabel = (typeof CAPTURE_LABELS)[number]
export type CaptureSource = (typeof CAPTURE_SOURCES)[number]

export interface LivenessTables {
  liveness_capture: {
    id: string
    park_id: string
    label: CaptureLabel
    source: CaptureSource
    /** 0 to 1. */
    score: number
    /** Of what told living faces from pictures; scores of different ones are never put together. */
    model_id: string
    /** The passage that was labelled; null for an upload. */
    record_id: string | null
    created_at: Date | number
  }
}

export const livenessMigrations: ContextMigration[] = [
  {
    name: '20261121T0912-faces-liveness',
    async up(db) {
      await sql`CREATE TABLE liveness_capture (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, label text NOT NULL, source text NOT NULL, score double precision NOT NULL,
        model_id text NOT NULL, record_id uuid, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX liveness_capture_newest ON liveness_capture (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE UNIQUE INDEX liveness_capture_record ON liveness_capture (park_id, record_id)`.execute(db)
    },
    columns: {
      liveness_capture: {
        id: 'none',
        park_id: 'none',
        label: 'none',
        source: 'none',
        score: 'none',
        model_id: 'none',
        record_id: 'none',
        created_at: 'none',
      },
    },
  },
]
