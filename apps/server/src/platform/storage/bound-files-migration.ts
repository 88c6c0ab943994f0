/** Whether a file is bound to its name. Existing files were sealed without, and are sealed again one after the other. */
import { sql } from 'kysely'
import type { ContextMigration } from '../database/migrations.ts'

export const boundFilesMigration: ContextMigration = {
  name: '20261127T1241-platform-files-bound',
  async up(db) {
    await sql`ALTER TABLE file ADD COLUMN bound boolean NOT NULL DEFAULT false`.execute(db)
    await sql`ALTER TABLE file ALTER COLUMN bound SET DEFAULT true`.execute(db)
    await sql`CREATE INDEX file_unbound ON file (id) WHERE NOT bound`.execute(db)
  },
  columns: { file: { bound: 'none' } },
}
