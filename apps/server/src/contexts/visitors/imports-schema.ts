/** Tables of spreadsheets by which many visitors are invited. What a row says is encrypted. */
import { sql } from 'kysely'
import type { Language } from '@gatehouse/contract'
import type { VISIT_IMPORT_STATES, VisitImportOutcome } from '@gatehouse/contract/visitors/imports'
import type { Json } from '../../platform/database/json.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

/** Why a row was refused, before it has words. */
export interface StoredIssue {
  field: string
  rule: string
  params?: Record<string, string | number>
}

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    visitImport: {
      state: (typeof VISIT_IMPORT_STATES)[number]
      language: Language
      /** Who handed it in. */
      userId: string
    }
    visitImportRow: {
      outcome: VisitImportOutcome
      issues: Json<StoredIssue[]>
      /** Texts of the cells by column, encrypted; null once the row has become a visit. */
      details: Buffer | null
    }
  }
}

export const VISIT_IMPORT_DETAILS: SealedColumn = { table: 'visit_import_row', column: 'details', park: 'park_id', key: ['id'] }

export const importsMigration: ContextMigration = {
  name: '20261130T1540-visitors-imports',
  async up(db) {
    await sql`CREATE TABLE visit_import (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, state text NOT NULL, language text NOT NULL, user_id text NOT NULL,
      account text NOT NULL, operator text NOT NULL, user_kind text NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE INDEX visit_import_running ON visit_import (park_id, created_at) WHERE state = 'running'`.execute(db)
    await sql`CREATE INDEX visit_import_age ON visit_import (created_at)`.execute(db)
    await sql`CREATE TABLE visit_import_row (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, import_id uuid NOT NULL REFERENCES visit_import (id) ON DELETE CASCADE,
      line integer NOT NULL, outcome text NOT NULL, details bytea, issues jsonb NOT NULL DEFAULT '[]')`.execute(db)
    await sql`CREATE UNIQUE INDEX visit_import_row_line ON visit_import_row (import_id, line)`.execute(db)
  },
  columns: {
    visit_import: {
      id: 'none',
      park_id: 'none',
      state: 'none',
      language: 'none',
      user_id: 'none',
      account: 'none',
      operator: 'personal',
      user_kind: 'none',
      created_at: 'none',
    },
    visit_import_row: {
      id: 'none',
      park_id: 'none',
      import_id: 'none',
      line: 'none',
      outcome: 'none',
      details: 'personal',
      issues: 'none',
    },
  },
  sealed: [VISIT_IMPORT_DETAILS],
}
