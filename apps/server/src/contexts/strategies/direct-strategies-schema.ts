/** The mark of the strategies by which persons are permitted directly at a door or an access group. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export const directStrategyMigrations: ContextMigration[] = [
  {
    name: '20261127T2343-access-direct-strategies',
    async up(db) {
      await sql`ALTER TABLE strategy ADD COLUMN direct_at uuid`.execute(db)
      await sql`CREATE UNIQUE INDEX strategy_direct ON strategy (park_id, direct_at) WHERE direct_at IS NOT NULL`.execute(db)
    },
    columns: { strategy: { direct_at: 'none' } },
  },
]
