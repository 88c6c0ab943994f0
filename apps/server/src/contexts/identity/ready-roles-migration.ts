/** Which of the roles that every installation has a role is. The rows are written at each start, see `ready-roles.ts`. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Names stay unique among the roles that people make: those of ready roles are words of each language. */
export const readyRolesMigration: ContextMigration = {
  name: '20261127T1936-identity-ready-roles',
  async up(db) {
    await sql`ALTER TABLE role DROP CONSTRAINT role_name, ADD COLUMN ready text CONSTRAINT role_ready UNIQUE`.execute(db)
    await sql`CREATE UNIQUE INDEX role_name ON role (name) WHERE ready IS NULL`.execute(db)
  },
  columns: { role: { ready: 'none' } },
}
