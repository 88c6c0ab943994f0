/** Tables of how alike the people of a park are: one row a park, and the answers about pairs that may be one person. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import type { Holdout, OwnFit } from '@gatehouse/face-engine/measure/own-curve'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

/** The curves that devices apply, with the model they were measured with. */
export interface CurvesInForce {
  modelId: string
  /** Null: too few people, or they require no more than the model's curve. */
  curve: OwnCurve | null
  /** Curves of devices whose people are more alike, by device id; a device keeps its curve when strategies change. */
  devices: Record<string, OwnCurve>
}

export interface Measured {
  /** Number of persons with photographs that count. */
  persons: number
  fit: OwnFit | null
  heldOut: Holdout | null
  audiences: { id: string; fit: OwnFit }[]
  /** Passages by a person's own face in the last days, and how often the person had been refused there just before. */
  passed: { passages: number; again: number }
  /** Scores of pairs of one person, ascending; of many, an even selection. */
  genuine: { pairs: number; scores: number[] }
}

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    faceOwnCurve: {
      /** Changes when photographs were added or deleted since. */
      stamp: string
      measured: Json<Measured>
      inForce: Json<CurvesInForce>
      /** Encrypted JSON: ids of persons and photographs with their scores. */
      doubtful: Buffer
    }
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
