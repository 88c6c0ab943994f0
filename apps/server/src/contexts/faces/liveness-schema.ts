/** The table of captures from which a liveness threshold is found: their scores and labels, never the picture. */
import { sql } from 'kysely'
import type { CAPTURE_LABELS, CAPTURE_SOURCES } from '@gatehouse/contract/faces/liveness'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export type CaptureLabel = (typeof CAPTURE_LABELS)[number]
export type CaptureSource = (typeof CAPTURE_SOURCES)[number]

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    livenessCapture: {
      label: CaptureLabel
      source: CaptureSource
      /** 0 to 1. */
      score: number
      /** The liveness model; scores of different models are never combined. */
      modelId: string
      /** The passage that was labelled; null for an upload. */
      recordId: string | null
    }
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
