/**
 * Tables of counted passages, so that a report of a month reads thousands of rows instead of millions. They hold counts by device
 * and group without names or ids of persons, and therefore outlive the records.
 */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'

/** The group of a passage without one: of a stranger, or stored before groups were kept. */
export const NO_GROUP = '00000000-0000-0000-0000-000000000000'
/** The fail reason of a passage without one. */
export const NO_REASON = 0

interface Counted {
  parkId: string
  /** In the park's zone at arrival, as in the record. */
  localDate: string
  direction: number
  result: number
  /** `NO_REASON` for none. */
  failReason: number
  /** See `temperatureMark`. */
  temperatureMark: number
  /** Whether of persons on the watch list; such passages do not count for users who may not see the list. */
  watched: boolean
  count: number
}

/** Passages that are equal in everything statistics distinguish; `count` is below zero where records were deleted. */
export interface PassageCell extends Counted {
  localHour: number
  deviceId: string
  /** `NO_GROUP` for none. */
  personGroupId: string
}

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /**
     * Written in the transaction of the records, and added to the three other tables a little later: the sum of both is correct
     * at every moment.
     */
    passagePending: {}
    /** Parks whose records from before these tables are not counted yet. */
    passageBacklog: {}
    /**
     * Numbers of deleted records of the watch list, by device: the total of a device includes them, and they are subtracted for
     * users who may not see the list.
     */
    watchedDeleted: {}
    /** Values that a record of the park has contained: `temperature`, `mask`, `helmet`. */
    parkMeasure: {}
  }
}

const COMMON = {
  park_id: 'none',
  local_date: 'none',
  direction: 'none',
  result: 'none',
  fail_reason: 'none',
  temperature_mark: 'none',
  count: 'none',
} as const

/** Mark the records of persons on the watch list, and count them separately: so far they were counted with all others. */
export async function countWatchedApart(db: Database): Promise<void> {
  await sql`UPDATE access_record SET watched = true WHERE person_id IN (SELECT id FROM person WHERE kind = 'special' UNION ALL SELECT id
    FROM former_watched)`.execute(db)
  await sql`INSERT INTO passage_pending (park_id, local_date, local_hour, device_id, person_group_id, direction, result, fail_reason,
    temperature_mark, watched, count)
    SELECT park_id, local_date, local_hour, device_id, coalesce(person_group_id, '00000000-0000-0000-0000-000000000000'), direction,
    result, coalesce(fail_reason, 0),
      CASE WHEN temperature_status BETWEEN 1 AND 4 THEN temperature_status WHEN temperature IS NULL OR temperature = -2 THEN -2
      WHEN temperature = -1 THEN -1 ELSE 0 END,
      side.watched, side.count
    FROM access_record CROSS JOIN (VALUES (false, -1), (true, 1)) AS side (watched, count) WHERE access_record.watched`.execute(db)
}

export const statisticsMigrations: ContextMigration[] = [
  {
    name: '20261122T2205-access-statistics',
    async up(db) {
      await sql`ALTER TABLE access_record ADD COLUMN person_group_id uuid, ADD COLUMN picture_kept_until timestamptz(3)`.execute(db)
      const common = sql`direction smallint NOT NULL, result smallint NOT NULL, fail_reason integer NOT NULL,
        temperature_mark smallint NOT NULL, count bigint NOT NULL`
      const key = sql`direction, result, fail_reason, temperature_mark`
      await sql`CREATE TABLE passage_pending (park_id uuid NOT NULL, local_date date NOT NULL, local_hour smallint NOT NULL,
        device_id uuid NOT NULL, person_group_id uuid NOT NULL, ${common})`.execute(db)
      await sql`CREATE TABLE passage_hour (park_id uuid NOT NULL, local_date date NOT NULL, local_hour smallint NOT NULL,
        device_id uuid NOT NULL, ${common},
        PRIMARY KEY (park_id, local_date, local_hour, device_id, ${key}))`.execute(db)
      await sql`CREATE TABLE passage_group_hour (park_id uuid NOT NULL, local_date date NOT NULL, local_hour smallint NOT NULL,
        person_group_id uuid NOT NULL, ${common},
        PRIMARY KEY (park_id, local_date, local_hour, person_group_id, ${key}))`.execute(db)
      await sql`CREATE TABLE passage_group_day (park_id uuid NOT NULL, local_date date NOT NULL, device_id uuid NOT NULL,
        person_group_id uuid NOT NULL, ${common},
        PRIMARY KEY (park_id, local_date, device_id, person_group_id, ${key}))`.execute(db)
      await sql`CREATE TABLE passage_backlog (park_id uuid PRIMARY KEY)`.execute(db)
      // Every record came through an epoch of a device; reading the records themselves would take long.
      await sql`INSERT INTO passage_backlog (park_id) SELECT DISTINCT park_id FROM device_epoch`.execute(db)
      await sql`CREATE TABLE picture_retention (park_id uuid PRIMARY KEY, deleted_until timestamptz(3) NOT NULL)`.execute(db)
    },
    columns: {
      access_record: { person_group_id: 'none', picture_kept_until: 'none' },
      passage_pending: { ...COMMON, local_hour: 'none', device_id: 'none', person_group_id: 'none' },
      passage_hour: { ...COMMON, local_hour: 'none', device_id: 'none' },
      passage_group_hour: { ...COMMON, local_hour: 'none', person_group_id: 'none' },
      passage_group_day: { ...COMMON, device_id: 'none', person_group_id: 'none' },
      passage_backlog: { park_id: 'none' },
      picture_retention: { park_id: 'none', deleted_until: 'none' },
    },
  },
  {
    name: '20261127T0915-access-statistics-watched',
    async up(db) {
      await sql`ALTER TABLE access_record ADD COLUMN watched boolean NOT NULL DEFAULT false`.execute(db)
      await sql`CREATE INDEX access_record_watched ON access_record (park_id, local_date) WHERE watched`.execute(db)
      await sql`ALTER TABLE passage_pending ADD COLUMN watched boolean NOT NULL DEFAULT false`.execute(db)
      const places = {
        passage_hour: 'local_hour, device_id',
        passage_group_hour: 'local_hour, person_group_id',
        passage_group_day: 'device_id, person_group_id',
      }
      for (const [table, place] of Object.entries(places)) {
        const key = sql.raw(`park_id, local_date, ${place}, direction, result, fail_reason, temperature_mark, watched`)
        await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN watched boolean NOT NULL DEFAULT false,
          DROP CONSTRAINT ${sql.ref(`${table}_pkey`)},
          ADD PRIMARY KEY (${key})`.execute(db)
      }
      // The counts of a device are read without a date.
      await sql`CREATE INDEX passage_group_day_watched ON passage_group_day (park_id, device_id) WHERE watched`.execute(db)
      await countWatchedApart(db)
    },
    columns: {
      access_record: { watched: 'personal' },
      passage_pending: { watched: 'none' },
      passage_hour: { watched: 'none' },
      passage_group_hour: { watched: 'none' },
      passage_group_day: { watched: 'none' },
    },
  },
  {
    name: '20261127T1135-access-watched-deleted',
    async up(db) {
      await sql`CREATE TABLE watched_deleted (park_id uuid NOT NULL, device_id uuid NOT NULL, count bigint NOT NULL,
        PRIMARY KEY (park_id, device_id))`.execute(db)
    },
    columns: { watched_deleted: { park_id: 'none', device_id: 'none', count: 'none' } },
  },
  {
    name: '20261127T1940-access-measures',
    async up(db) {
      await sql`CREATE TABLE park_measure (park_id uuid NOT NULL, kind text NOT NULL, PRIMARY KEY (park_id, kind))`.execute(db)
      await sql`INSERT INTO park_measure (park_id, kind)
        SELECT DISTINCT park_id, kind FROM access_record CROSS JOIN LATERAL (VALUES
          ('temperature', (temperature IS NOT NULL AND temperature <> -2) OR temperature_status BETWEEN 1 AND 4),
          ('mask', mask IS NOT NULL),
          ('helmet', helmet IS NOT NULL)) AS measure (kind, is_told)
        WHERE is_told`.execute(db)
    },
    columns: { park_measure: { park_id: 'none', kind: 'none' } },
  },
]
