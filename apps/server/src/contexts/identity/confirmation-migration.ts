import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Adds the time until which a session counts as confirmed by its user's password. */
export const confirmationMigration: ContextMigration = {
  name: '20261126T1811-identity-confirmation',
  async up(db) {
    await sql`ALTER TABLE token ADD COLUMN confirmed_until timestamptz(3)`.execute(db)
  },
  columns: { token: { confirmed_until: 'none' } },
}
