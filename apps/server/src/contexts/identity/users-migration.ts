import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Time at which an account was enabled: a newly enabled account does not count as unused, though nobody has logged in yet. */
export const usersMigration: ContextMigration = {
  name: '20261121T0432-identity-enabled-at',
  async up(db) {
    await sql`ALTER TABLE user_account ADD COLUMN enabled_at timestamptz(3)`.execute(db)
  },
  columns: { user_account: { enabled_at: 'none' } },
}
