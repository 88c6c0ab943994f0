/** Column that marks the ready roles, which every installation has. Each start writes their rows, see `ready-roles.ts`. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** Names stay unique among the roles that people make. The names of ready roles depend on the language. */
export const readyRolesMigration: ContextMigration = {
  name: '20261127T1936-identity-ready-roles',
  async up(db) {
    await sql`ALTER TABLE role DROP CONSTRAINT role_name, ADD COLUMN ready text CONSTRAINT role_ready UNIQUE`.execute(db)
    await sql`CREATE UNIQUE INDEX role_name ON role (name) WHERE ready IS NULL`.execute(db)
  },
  columns: { role: { ready: 'none' } },
}
