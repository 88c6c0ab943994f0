/**
 * The table of records on which a person of the watch list was found. It is separate from the records, which look the same to
 * users who may not see that list.
 */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    watchListHit: {
      /** Of the record. */
      occurredAt: number
      /** 0 to 100, raw. */
      score: number
    }
  }
}

export const watchListHitMigrations: ContextMigration[] = [
  {
    name: '20261127T1940-access-watch-list-hits',
    async up(db) {
      await sql`CREATE TABLE watch_list_hit (
        record_id uuid PRIMARY KEY, park_id uuid NOT NULL, occurred_at timestamptz(3) NOT NULL, person_id uuid NOT NULL,
        score double precision NOT NULL, noted_at timestamptz(3) NOT NULL)`.execute(db)
      // The first two serve the list of a park's hits and that of one person; the third deletes the hits of dropped records by time.
      await sql`CREATE INDEX watch_list_hit_newest ON watch_list_hit (park_id, occurred_at DESC) INCLUDE (record_id, person_id)`.execute(db)
      await sql`CREATE INDEX watch_list_hit_person ON watch_list_hit (park_id, person_id, occurred_at DESC) INCLUDE (record_id)`.execute(db)
      await sql`CREATE INDEX watch_list_hit_time ON watch_list_hit (occurred_at)`.execute(db)
    },
    columns: {
      watch_list_hit: {
        record_id: 'none',
        park_id: 'none',
        occurred_at: 'none',
        person_id: 'none',
        score: 'none',
        noted_at: 'none',
      },
    },
  },
]
