/** The table of reports: error rates measured on a park's own photographs. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { ReportSlice } from '@gatehouse/contract/faces/report'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    faceReport: {
      /** The work that makes the report. */
      workId: string
      /** The door's threshold when the report was requested. */
      doorScore: number
      /** Null until the report is done, as are the other figures, `slices` and `closest`; `demoPhotos` is then 0. */
      persons: number | null
      /** Drawn portraits of the demo that were left out. */
      demoPhotos: number
      slices: Json<ReportSlice[]> | null
      /** Encrypted JSON: ids of persons and photographs with their distances. */
      closest: Buffer | null
      /** Whether it includes the watch list, which depends on the user who requested it. */
      watchList: boolean
    }
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
      // Existing reports were all made from everybody.
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
      // Drawn portraits are left out from now on. Existing reports with drawn portraits counted them and are meaningless.
      await sql`DELETE FROM face_report WHERE demo_photos > 0`.execute(db)
    },
    columns: {},
  },
]
