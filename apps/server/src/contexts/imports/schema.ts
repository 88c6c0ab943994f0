/** Tables of imports. What a spreadsheet says of people is encrypted; only what lists filter by stands beside it. */
import type { Json } from '../../platform/database/json.ts'
import { sql } from 'kysely'
import type { ImportOutcome } from '@gatehouse/contract/imports/calls'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

/** What a row or a spreadsheet is blamed for, before it has words. */
export interface StoredIssue {
  field: string
  code: number | null
  rule: string
  params?: Record<string, string | number>
}

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    personImport: {
      /** Headings nobody knows. */
      unknownColumns: Json<unknown>
      /** Who began it, or started it last. */
      userId: string
      /** Rows to run at the last start. */
      runTotal: number
    }
    personImportRow: {
      /** As they came: ids made within a millisecond are in no order. */
      position: number
      /** Of one upload. */
      uploadId: string
      outcome: ImportOutcome
      /** Refused by the run, not only by the preview. */
      tried: boolean
      /** Values by field, encrypted; null for somebody who is only given a photograph. */
      sealed: Buffer | null
      /** Blind indexes of what only one person may have. */
      keys: Buffer[]
    }
    personImportPhoto: {
      /** The name without its ending, and that without `_2`. */
      stem: string
      /** The work number somebody said it belongs to. */
      assigned: string | null
      state: 'waiting' | 'used' | 'refused'
      /** Why it belongs to nobody. */
      reason: string | null
    }
  }
}

export const IMPORTED_ROW: SealedColumn = { table: 'person_import_row', column: 'sealed', park: 'park_id', key: ['id'] }

export const importsMigrations: ContextMigration[] = [
  {
    name: '20261122T0650-imports-initial',
    async up(db) {
      await sql`CREATE TABLE person_import (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, mode text NOT NULL, group_id uuid NOT NULL, state text NOT NULL,
        unknown_columns jsonb NOT NULL DEFAULT '[]', user_id text NOT NULL, account text NOT NULL, operator text NOT NULL,
        user_kind text NOT NULL,
        work_id uuid, run_total integer NOT NULL DEFAULT 0, created_at timestamptz(3) NOT NULL, started_at timestamptz(3),
        ended_at timestamptz(3), reason text)`.execute(db)
      await sql`CREATE INDEX person_import_newest ON person_import (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX person_import_running ON person_import (park_id, started_at) WHERE state = 'running'`.execute(db)
      await sql`CREATE TABLE person_import_row (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, import_id uuid NOT NULL REFERENCES person_import (id) ON DELETE CASCADE,
        position bigint GENERATED ALWAYS AS IDENTITY, upload_id uuid NOT NULL, line integer,
        outcome text NOT NULL, finished boolean NOT NULL DEFAULT false, tried boolean NOT NULL DEFAULT false, person_id uuid,
        work_number text NOT NULL, name text NOT NULL, group_name text NOT NULL DEFAULT '', sealed bytea,
        keys bytea[] NOT NULL DEFAULT '{}', issues jsonb NOT NULL DEFAULT '[]')`.execute(db)
      await sql`CREATE INDEX person_import_row_order ON person_import_row (import_id, position)`.execute(db)
      await sql`CREATE INDEX person_import_row_number ON person_import_row (import_id, work_number)`.execute(db)
      await sql`CREATE INDEX person_import_row_keys ON person_import_row USING gin (keys)`.execute(db)
      await sql`CREATE TABLE person_import_photo (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, import_id uuid NOT NULL REFERENCES person_import (id) ON DELETE CASCADE,
        filename text NOT NULL,
        stem text NOT NULL, base text, position smallint NOT NULL, assigned text, work_number text, row_id uuid, digest bytea NOT NULL,
        file_id uuid, face_id uuid, state text NOT NULL, reason text, issue jsonb)`.execute(db)
      await sql`CREATE UNIQUE INDEX person_import_photo_name ON person_import_photo (import_id, stem)`.execute(db)
      await sql`CREATE INDEX person_import_photo_row ON person_import_photo (row_id)`.execute(db)
      await sql`CREATE TABLE person_import_taken (
        park_id uuid NOT NULL, person_id uuid NOT NULL, digest bytea NOT NULL, face_id uuid NOT NULL,
        PRIMARY KEY (person_id, digest))`.execute(db)
      await sql`CREATE INDEX person_import_taken_park ON person_import_taken (park_id)`.execute(db)
    },
    columns: {
      person_import: {
        id: 'none',
        park_id: 'none',
        kind: 'none',
        mode: 'none',
        group_id: 'none',
        state: 'none',
        unknown_columns: 'none',
        user_id: 'none',
        account: 'none',
        operator: 'personal',
        user_kind: 'none',
        work_id: 'none',
        run_total: 'none',
        created_at: 'none',
        started_at: 'none',
        ended_at: 'none',
        reason: 'none',
      },
      person_import_row: {
        id: 'none',
        park_id: 'none',
        import_id: 'none',
        position: 'none',
        upload_id: 'none',
        line: 'none',
        outcome: 'none',
        finished: 'none',
        tried: 'none',
        person_id: 'none',
        work_number: 'personal',
        name: 'personal',
        group_name: 'none',
        sealed: 'personal',
        keys: 'personal',
        issues: 'none',
      },
      person_import_photo: {
        id: 'none',
        park_id: 'none',
        import_id: 'none',
        filename: 'personal',
        stem: 'personal',
        base: 'personal',
        position: 'none',
        assigned: 'personal',
        work_number: 'personal',
        row_id: 'none',
        digest: 'personal',
        file_id: 'none',
        face_id: 'none',
        state: 'none',
        reason: 'none',
        issue: 'none',
      },
      person_import_taken: { park_id: 'none', person_id: 'none', digest: 'personal', face_id: 'none' },
    },
  },
  boundMigration('20261127T1250-imports-bound', [IMPORTED_ROW]),
]
