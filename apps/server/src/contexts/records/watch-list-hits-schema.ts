/** On which records somebody of the watch list was found: apart from the records, which are the same to whoever does not see that list. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export interface WatchListHitTables {
  watch_list_hit: {
    record_id: string
    park_id: string
    /** Of the record. */
    occurred_at: Date | number
    person_id: string
    /** 0 to 100, raw. */
    score: number
    noted_at: Date | number
  }
}

export const watchListHitMigrations: ContextMigration[] = [
  {
    name: '20261127T1940-access-watch-list-hits',
    async up(db) {
      await sql`CREATE TABLE watch_list_hit (
        record_id uuid PRIMARY KEY, park_id uuid NOT NULL, occurred_at timestamptz(3) NOT NULL, person_id uuid NOT NULL,
        score double precision NOT NULL, noted_at timestamptz(3) NOT NULL)`.execute(db)
      // The list of the hits of a park, and those of one person; records that are dropped take theirs along by time.
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
