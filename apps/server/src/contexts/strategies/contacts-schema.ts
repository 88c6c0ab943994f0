/** Passing by contacts: whom a strategy lets pass, and who came in a person's place. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export const contactPassageMigrations: ContextMigration[] = [
  {
    name: '20261123T0905-access-contacts',
    async up(db) {
      await sql`ALTER TABLE strategy ADD COLUMN authorised_object text NOT NULL DEFAULT 'person'`.execute(db)
      await sql`ALTER TABLE access_record ADD COLUMN contact_id uuid, ADD COLUMN contact_name text NOT NULL DEFAULT '',
        ADD COLUMN contact_relation smallint`.execute(db)
    },
    columns: {
      strategy: { authorised_object: 'none' },
      access_record: { contact_id: 'none', contact_name: 'personal', contact_relation: 'personal' },
    },
  },
]
