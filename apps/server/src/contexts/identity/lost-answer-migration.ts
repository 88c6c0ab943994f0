/** A column for refreshes whose answer was lost, and the removal of columns that are no longer read. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export const lostAnswerMigration: ContextMigration = {
  name: '20261127T1001-identity-lost-answer',
  async up(db) {
    await sql`ALTER TABLE token ADD COLUMN pair_used boolean NOT NULL DEFAULT true`.execute(db)
  },
  columns: { token: { pair_used: 'none' } },
}

/** Failures are counted in a table of their own now. */
export const unreadColumnsMigration: ContextMigration = {
  name: '20261127T1002-identity-unread-columns',
  async up(db) {
    await sql`ALTER TABLE user_account DROP COLUMN failures, DROP COLUMN locked_until`.execute(db)
  },
  columns: {},
}
