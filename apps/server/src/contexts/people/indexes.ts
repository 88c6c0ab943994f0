/**
 * What keeps lists of a hundred thousand persons quick: an index for each sort, and one for each field that is searched
 * by a part of it.
 */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/**
 * A register is one kind of person, so each sort carries the kind along: a page far down the list is found in the index alone.
 * Those of single columns they replace go.
 */
export const peopleIndexes: ContextMigration = {
  name: '20261122T0610-people-indexes',
  async up(db) {
    await sql`CREATE INDEX person_by_created ON person (park_id, created_at, id) INCLUDE (kind)`.execute(db)
    await sql`CREATE INDEX person_by_name ON person (park_id, name, id) INCLUDE (kind)`.execute(db)
    await sql`CREATE INDEX person_by_work_number ON person (park_id, work_number, id) INCLUDE (kind)`.execute(db)
    await sql`CREATE INDEX person_by_valid_to ON person (park_id, valid_to, id) INCLUDE (kind, enabled)`.execute(db)
    await sql`DROP INDEX person_newest, person_valid_to`.execute(db)
    await sql`CREATE INDEX person_work_number_search ON person USING gin (work_number gin_trgm_ops)`.execute(db)
    await sql`CREATE INDEX person_phone_search ON person USING gin (phone gin_trgm_ops)`.execute(db)
    await sql`CREATE INDEX person_card_number_search ON person USING gin (card_number gin_trgm_ops)`.execute(db)
  },
  columns: {},
}

/** The watch list is searched for every picture of an unknown person. */
export const watchListIndex: ContextMigration = {
  name: '20261127T1938-people-watch-list',
  async up(db) {
    await sql`CREATE INDEX person_watch_list ON person (park_id) INCLUDE (id, enabled, face_count) WHERE kind = 'special'`.execute(db)
  },
  columns: {},
}
