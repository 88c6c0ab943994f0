/** How alike the people of a park are: one row a park, and what was said of pairs that may be one person twice. */
import { sql } from 'kysely'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import type { HeldOut, OwnFit } from '@gatehouse/face-engine/measure/own-curve'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

/** What devices ask by, with the model it was measured with. */
export interface CurvesInForce {
  modelId: string
  /** Null: the people of the park are too few. */
  curve: OwnCurve | null
  /** Of devices whose people are more alike, by id: they keep it whatever strategies name them. */
  devices: Record<string, OwnCurve>
}

export interface Measured {
  /** With photographs that count. */
  persons: number
  fit: OwnFit | null
  heldOut: HeldOut | null
  audiences: { id: string; fit: OwnFit }[]
  /** Passages by the own face of the last days, and how often whoever came had been refused there just before. */
  passed: { passages: number; again: number }
  /** Scores of pairs of one person, rising; of many an even choice. */
  genuine: { pairs: number; scores: number[] }
}

export interface OwnCurveTables {
  face_own_curve: {
    park_id: string
    model_id: string
    measured_at: Date | number
    /** What tells that photographs have come or gone since. */
    stamp: string
    measured: Measured | string
    in_force: CurvesInForce | string
    /** Encrypted JSON: ids of persons and photographs with their scores. */
    doubtful: Buffer
  }
  face_pair_answer: {
    park_id: string
    first_id: string
    second_id: string
    same_person: boolean
    answered_at: Date | number
  }
}

export const DOUBTFUL_PAIRS: SealedColumn = { table: 'face_own_curve', column: 'doubtful', park: 'park_id', key: ['park_id'] }

export const ownCurveMigrations: ContextMigration[] = [
  {
    name: '20261129T1010-faces-own-curve',
    async up(db) {
      await sql`CREATE TABLE face_own_curve (
        park_id uuid PRIMARY KEY, model_id text NOT NULL, measured_at timestamptz(3) NOT NULL, stamp text NOT NULL,
        measured jsonb NOT NULL, in_force jsonb NOT NULL, doubtful bytea NOT NULL)`.execute(db)
      await sql`CREATE TABLE face_pair_answer (
        park_id uuid NOT NULL, first_id uuid NOT NULL, second_id uuid NOT NULL, same_person boolean NOT NULL,
        answered_at timestamptz(3) NOT NULL, PRIMARY KEY (park_id, first_id, second_id), CHECK (first_id < second_id))`.execute(db)
    },
    columns: {
      face_own_curve: {
        park_id: 'none',
        model_id: 'none',
        measured_at: 'none',
        stamp: 'none',
        measured: 'none',
        in_force: 'none',
        doubtful: 'biometric',
      },
      face_pair_answer: { park_id: 'none', first_id: 'none', second_id: 'none', same_person: 'none', answered_at: 'none' },
    },
    sealed: [DOUBTFUL_PAIRS],
  },
]
