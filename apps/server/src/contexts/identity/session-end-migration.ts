/** Refresh tokens that were replaced, and the end of sessions that stood open when it was introduced. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    formerRefreshToken: {
      /** SHA-256. */
      hash: Buffer
      /** The row goes with the session. */
      tokenId: string
    }
  }
}

export const sessionEndMigration: ContextMigration = {
  name: '20261127T0552-identity-session-end',
  async up(db) {
    await sql`CREATE TABLE former_refresh_token (
      hash bytea PRIMARY KEY, token_id uuid NOT NULL REFERENCES token (id) ON DELETE CASCADE, replaced_at timestamptz(3) NOT NULL)`.execute(
      db,
    )
    await sql`CREATE INDEX former_refresh_token_session ON former_refresh_token (token_id, replaced_at DESC)`.execute(db)
    // Sessions of users end twelve hours after their login, those that are open included.
    await sql`UPDATE token SET
        access_expires_at = LEAST(access_expires_at, created_at + interval '12 hours'),
        refresh_expires_at = LEAST(refresh_expires_at, created_at + interval '12 hours')
      WHERE user_id IS NOT NULL`.execute(db)
  },
  columns: { former_refresh_token: { hash: 'secret', token_id: 'none', replaced_at: 'none' } },
}
