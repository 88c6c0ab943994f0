/** Tables of the installation: its domains, and the notices to everybody. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    domain: {
      /** As it was typed, without a slash at the end. */
      address: string
      /** Host and port as browsers write them; unique. */
      host: string
      showType: 'neutral' | 'custom'
    }
  }
}

export const systemMigrations: ContextMigration[] = [
  {
    name: '20261121T0429-system-domains',
    async up(db) {
      await sql`CREATE TABLE domain (
        id uuid PRIMARY KEY, address text NOT NULL, host text NOT NULL CONSTRAINT domain_host UNIQUE, name text NOT NULL,
        show_type text NOT NULL,
        logo_id uuid, big_screen_logo_id uuid, organisation_id uuid NOT NULL, remark text NOT NULL,
        created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL, version integer NOT NULL DEFAULT 1)`.execute(db)
    },
    columns: {
      domain: {
        id: 'none',
        address: 'none',
        host: 'none',
        name: 'none',
        show_type: 'none',
        logo_id: 'none',
        big_screen_logo_id: 'none',
        organisation_id: 'none',
        remark: 'none',
        created_at: 'none',
        updated_at: 'none',
        version: 'none',
      },
    },
  },
  {
    name: '20261121T0430-system-notices',
    async up(db) {
      await sql`CREATE TABLE notice (
        id uuid PRIMARY KEY, title jsonb NOT NULL, content jsonb NOT NULL, published_at timestamptz(3) NOT NULL,
        version integer NOT NULL DEFAULT 1)`.execute(db)
      await sql`CREATE INDEX notice_newest ON notice (published_at DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE notice_read (
        notice_id uuid NOT NULL REFERENCES notice (id) ON DELETE CASCADE, user_id uuid NOT NULL, read_at timestamptz(3) NOT NULL,
        PRIMARY KEY (notice_id, user_id))`.execute(db)
    },
    columns: {
      notice: { id: 'none', title: 'none', content: 'none', published_at: 'none', version: 'none' },
      notice_read: { notice_id: 'none', user_id: 'none', read_at: 'none' },
    },
  },
]
