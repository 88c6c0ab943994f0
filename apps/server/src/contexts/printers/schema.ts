/** Tables of printers and of what is printed on them. */
import { sql } from 'kysely'
import type { Language } from '@gatehouse/contract'
import type { PrinterKind, PrintJobState, PrintMedia, PrintReason } from '@gatehouse/contract/printers/calls'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    printer: {
      kind: PrinterKind
      media: PrintMedia
    }
    /** A job names what it prints; the document is made when it is sent, so that no personal data is stored here. */
    printJob: {
      media: PrintMedia
      language: Language
      state: PrintJobState
      reason: PrintReason | null
    }
  }
}

export const printersMigrations: ContextMigration[] = [
  {
    name: '20261130T1000-printers-initial',
    async up(db) {
      await sql`CREATE TABLE printer (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, serial_number text NOT NULL, kind text NOT NULL, address text,
        media text NOT NULL, created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1,
        CHECK (kind <> 'ipp' OR address IS NOT NULL))`.execute(db)
      await sql`CREATE UNIQUE INDEX printer_name ON printer (park_id, lower(name))`.execute(db)
      await sql`CREATE TABLE print_job (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, printer_id uuid NOT NULL REFERENCES printer (id) ON DELETE CASCADE, visit_id uuid,
        client_key text, media text NOT NULL, language text NOT NULL, masked boolean NOT NULL, state text NOT NULL, reason text,
        attempts integer NOT NULL, next_at timestamptz(3), claimed_until timestamptz(3), sent_at timestamptz(3), job_number integer,
        user_id text NOT NULL, requested_by text NOT NULL, created_at timestamptz(3) NOT NULL, ended_at timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX print_job_key ON print_job (park_id, user_id, client_key) WHERE client_key IS NOT NULL`.execute(db)
      await sql`CREATE INDEX print_job_newest ON print_job (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX print_job_printer ON print_job (printer_id)`.execute(db)
      await sql`CREATE INDEX print_job_due ON print_job (next_at) WHERE next_at IS NOT NULL`.execute(db)
      await sql`CREATE INDEX print_job_created ON print_job (created_at)`.execute(db)
    },
    columns: {
      printer: {
        id: 'none',
        park_id: 'none',
        name: 'none',
        serial_number: 'none',
        kind: 'none',
        address: 'none',
        media: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
      print_job: {
        id: 'none',
        park_id: 'none',
        printer_id: 'none',
        visit_id: 'none',
        client_key: 'none',
        media: 'none',
        language: 'none',
        masked: 'none',
        state: 'none',
        reason: 'none',
        attempts: 'none',
        next_at: 'none',
        claimed_until: 'none',
        sent_at: 'none',
        job_number: 'none',
        user_id: 'none',
        requested_by: 'personal',
        created_at: 'none',
        ended_at: 'none',
      },
    },
  },
]
