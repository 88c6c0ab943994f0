/** Tables of documents that visitors agree to or sign. */
import { sql } from 'kysely'
import type { Language } from '@gatehouse/contract'
import type { DocumentTexts } from '@gatehouse/contract/visitors/documents'
import type { DocumentAcceptance } from '@gatehouse/contract/visitors/signing'
import type { Json } from '../../platform/database/json.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    visitorDocumentVersion: {
      texts: Json<DocumentTexts>
    }
    visitDocument: {
      language: Language
      acceptance: DocumentAcceptance
      /** Name and signature, encrypted. */
      details: Buffer
      /** The PDF; null until it is made. */
      fileId: string | null
    }
  }
}

export const VISIT_DOCUMENT_DETAILS: SealedColumn = { table: 'visit_document', column: 'details', park: 'park_id', key: ['id'] }

export const documentsMigration: ContextMigration = {
  name: '20261130T1520-visitors-documents',
  async up(db) {
    await sql`CREATE TABLE visitor_document_version (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, document_id uuid NOT NULL, number integer NOT NULL, texts jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE INDEX visitor_document_version_document ON visitor_document_version (park_id, document_id, number DESC)`.execute(db)
    await sql`CREATE TABLE visit_document (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, visit_id uuid NOT NULL REFERENCES visit (id) ON DELETE CASCADE,
      position smallint NOT NULL, version_id uuid NOT NULL, number integer NOT NULL, language text NOT NULL, title text NOT NULL,
      text_hash text NOT NULL, acceptance text NOT NULL, details bytea NOT NULL, file_id uuid, signed_at timestamptz(3) NOT NULL)`.execute(
      db,
    )
    await sql`CREATE INDEX visit_document_visit ON visit_document (visit_id, position)`.execute(db)
    await sql`CREATE INDEX visit_document_version ON visit_document (version_id)`.execute(db)
    await sql`CREATE INDEX visit_document_waiting ON visit_document (id) WHERE file_id IS NULL`.execute(db)
    await sql`ALTER TABLE visit ADD COLUMN consent_shown jsonb`.execute(db)
  },
  columns: {
    visit: { consent_shown: 'none' },
    visitor_document_version: { id: 'none', park_id: 'none', document_id: 'none', number: 'none', texts: 'none', created_at: 'none' },
    visit_document: {
      id: 'none',
      park_id: 'none',
      visit_id: 'none',
      position: 'none',
      version_id: 'none',
      number: 'none',
      language: 'none',
      title: 'none',
      text_hash: 'none',
      acceptance: 'none',
      details: 'personal',
      file_id: 'personal',
      signed_at: 'none',
    },
  },
  sealed: [VISIT_DOCUMENT_DETAILS],
}
