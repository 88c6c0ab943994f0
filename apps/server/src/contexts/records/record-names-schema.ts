/** Tables of the names in records of a park. Millions of records have thousands of names, so a search by name starts here. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    recordName: {
      /** As in records: a person who was renamed has several. */
      personName: string
      /** The last day, UTC, on which a record with this name arrived. */
      lastOn: string
    }
    /** The same for contacts who came in a person's place. */
    recordContactName: {}
  }
}

export const recordNameMigrations: ContextMigration[] = [
  {
    name: '20261122T2226-access-record-names',
    async up(db) {
      await sql`CREATE TABLE record_name (park_id uuid NOT NULL, person_id uuid NOT NULL, person_name text NOT NULL, last_on date NOT NULL,
        PRIMARY KEY (park_id, person_id, person_name))`.execute(db)
      await sql`CREATE INDEX record_name_text ON record_name USING gin (person_name gin_trgm_ops)`.execute(db)
      // The index helped only with texts of three letters and more, not with names of two, and slowed every insert.
      await sql`DROP INDEX access_record_person_name`.execute(db)
      await sql`CREATE INDEX access_record_unnumbered ON access_record (park_id, occurred_at DESC, id DESC)
        WHERE person_id IS NULL AND person_name <> ''`.execute(db)
    },
    columns: { record_name: { park_id: 'none', person_id: 'none', person_name: 'personal', last_on: 'none' } },
  },
  {
    name: '20261123T1716-access-record-contact-names',
    async up(db) {
      await sql`CREATE TABLE record_contact_name (park_id uuid NOT NULL, person_id uuid NOT NULL, contact_id uuid NOT NULL,
        contact_name text NOT NULL, last_on date NOT NULL,
        PRIMARY KEY (park_id, person_id, contact_id, contact_name))`.execute(db)
      await sql`CREATE INDEX record_contact_name_text ON record_contact_name USING gin (contact_name gin_trgm_ops)`.execute(db)
      await sql`CREATE INDEX access_record_contact ON access_record (park_id, contact_id, occurred_at DESC, id DESC)
        WHERE contact_id IS NOT NULL`.execute(db)
      // Includes the names, so that a distant page is counted off without reading the records before it.
      await sql`CREATE INDEX access_record_contact_newest ON access_record (park_id, occurred_at DESC, id DESC)
        INCLUDE (contact_name, person_name) WHERE contact_id IS NOT NULL`.execute(db)
      await sql`INSERT INTO record_contact_name (park_id, person_id, contact_id, contact_name, last_on)
        SELECT park_id, person_id, contact_id, contact_name, max(received_at)::date FROM access_record
        WHERE contact_id IS NOT NULL AND person_id IS NOT NULL AND contact_name <> '' GROUP BY 1, 2, 3, 4`.execute(db)
    },
    columns: { record_contact_name: { park_id: 'none', person_id: 'none', contact_id: 'none', contact_name: 'personal', last_on: 'none' } },
  },
]
