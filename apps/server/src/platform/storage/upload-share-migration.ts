/** Who uploaded a file that nothing uses yet, and how large it is. */
import { sql } from 'kysely'
import type { ContextMigration } from '../database/migrations.ts'

export const uploadShareMigration: ContextMigration = {
  name: '20261127T0710-platform-upload-share',
  async up(db) {
    await sql`ALTER TABLE file ADD COLUMN uploaded_by text, ADD COLUMN size integer`.execute(db)
    await sql`CREATE INDEX file_uploaded_by ON file (uploaded_by, created_at) WHERE uploaded_by IS NOT NULL`.execute(db)
  },
  columns: { file: { uploaded_by: 'none', size: 'none' } },
}
