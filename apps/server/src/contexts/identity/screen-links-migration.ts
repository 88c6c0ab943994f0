/** Links that open a data screen. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    screenLink: {
      /** SHA-256 of its token. */
      tokenHash: Buffer
      /** User who made it: the screen shows what they may see. */
      userId: string
      /** Null: valid until somebody revokes it. */
      endsAt: number | null
    }
  }
}

export const screenLinksMigration: ContextMigration = {
  name: '20261127T0553-identity-screen-links',
  async up(db) {
    await sql`CREATE TABLE screen_link (
      id uuid PRIMARY KEY, park_id uuid NOT NULL, name text NOT NULL, token_hash bytea NOT NULL CONSTRAINT screen_link_token UNIQUE,
      user_id uuid NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL, ends_at timestamptz(3), last_used_at timestamptz(3))`.execute(db)
    await sql`CREATE INDEX screen_link_park ON screen_link (park_id)`.execute(db)
    await sql`CREATE INDEX screen_link_user ON screen_link (user_id)`.execute(db)
  },
  columns: {
    screen_link: {
      id: 'none',
      park_id: 'none',
      name: 'none',
      token_hash: 'secret',
      user_id: 'none',
      created_at: 'none',
      ends_at: 'none',
      last_used_at: 'none',
    },
  },
}
