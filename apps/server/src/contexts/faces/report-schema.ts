/** Error rates measured on a park's own photographs: one row a report. */
import { sql } from 'kysely'
import type { ReportSlice } from '@gatehouse/contract/faces/report'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

export interface ReportTables {
  face_report: {
    id: string
    park_id: string
    /** The long work that makes it. */
    work_id: string
    model_id: string
    /** The door's threshold when it was asked for. */
    door_score: number
    /** All of these are null until it is done. */
    persons: number | null
    photos: number | null
    /** Portraits of the demo that were left out. */
    demo_photos?: number
    genuine_pairs: number | null
    impostor_pairs: number | null
    slices: ReportSlice[] | string | null
    /** Encrypted JSON: ids of persons and photographs with their distances. */
    closest: Buffer | null
    created_at: Date | number
    /** Whether it is also of the watch list: as whoever asked for it saw it. */
    watch_list: boolean
  }
}

export const CLOSEST_PAIRS: SealedColumn = { table: 'face_report', column: 'closest', park: 'park_id', key: ['id'] }

export const reportMigrations: ContextMigration[] = [
  {
    name: '20261121T0911-faces-report',
    async up(db) {
      await sql`CREATE TABLE face_report (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, work_id uuid NOT NULL, model_id text NOT NULL, door_score double precision NOT NULL,
        persons integer, photos integer, genuine_pairs bigint, impostor_pairs bigint, slices jsonb, closest bytea,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX face_report_work ON face_report (work_id)`.execute(db)
      await sql`CREATE INDEX face_report_newest ON face_report (park_id, created_at DESC, id DESC)`.execute(db)
    },
    columns: {
      face_report: {
        id: 'none',
        park_id: 'none',
        work_id: 'none',
        model_id: 'none',
        door_score: 'none',
        persons: 'none',
        photos: 'none',
        genuine_pairs: 'none',
        impostor_pairs: 'none',
        slices: 'none',
        closest: 'biometric',
        created_at: 'none',
      },
    },
  },
  boundMigration('20261127T1250-faces-report-bound', [CLOSEST_PAIRS]),
  {
    name: '20261127T1350-faces-report-sight',
    async up(db) {
      // Those there are were all made from everybody.
      await sql`ALTER TABLE face_report ADD COLUMN watch_list boolean NOT NULL DEFAULT true`.execute(db)
      await sql`ALTER TABLE face_report ALTER COLUMN watch_list DROP DEFAULT`.execute(db)
    },
    columns: { face_report: { watch_list: 'none' } },
  },
  {
    name: '20261128T1050-faces-report-demo',
    async up(db) {
      await sql`ALTER TABLE face_report ADD COLUMN demo_photos integer NOT NULL DEFAULT 0`.execute(db)
    },
    columns: { face_report: { demo_photos: 'none' } },
  },
  {
    name: '20261129T0600-faces-report-drawn',
    async up(db) {
      // Drawn portraits are left out from now on. Those there are counted them in, and measured nothing.
      await sql`DELETE FROM face_report WHERE demo_photos > 0`.execute(db)
    },
    columns: {},
  },
]
