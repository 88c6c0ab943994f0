/** Persons are found by the pinyin of their names. */
import { sql } from 'kysely'
import { forRows, setRows } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { spellingOf } from './spelling.ts'

export const spellingMigration: ContextMigration = {
  name: '20261127T2341-people-spelling',
  async up(db) {
    await sql`ALTER TABLE person ADD COLUMN spelling text NOT NULL DEFAULT ''`.execute(db)
    await forRows<{ id: string; name: string }>(db, 'person', ['id', 'name'], async (rows) => {
      const spelled = await Promise.all(rows.map(async ({ id, name }) => ({ id, spelling: await spellingOf(name) })))
      await setRows(
        db,
        'person',
        ['id'],
        spelled.filter(({ spelling }) => spelling !== ''),
      )
    })
    await sql`CREATE INDEX person_spelling_search ON person USING gin (spelling gin_trgm_ops)`.execute(db)
  },
  columns: { person: { spelling: 'personal' } },
}
