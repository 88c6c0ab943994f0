/** Rows of counted passages; every function takes the scope first, unless it works for the whole installation. */
import { sentRows } from '../../platform/database/sent-rows.ts'
import { oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { seesAllDevices, seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import { deleteBacklog, listMonthsUnscoped, RECORDS, recordsOf } from '../records/index.ts'
import { NO_GROUP, NO_REASON, type PassageCell } from './schema.ts'

const DAY = 86_400_000
const TABLES = ['passagePending', 'passageHour', 'passageGroupHour', 'passageGroupDay', 'watchedDeleted', 'parkMeasure'] as const

/** Columns of a cell, with PostgreSQL's types. */
const CELL_TYPES = {
  parkId: 'uuid',
  localDate: 'date',
  localHour: 'smallint',
  deviceId: 'uuid',
  personGroupId: 'uuid',
  direction: 'smallint',
  result: 'smallint',
  failReason: 'integer',
  temperatureMark: 'smallint',
  watched: 'boolean',
  count: 'bigint',
} as const satisfies Record<keyof PassageCell, string>
const CELL = sql.join(Object.keys(CELL_TYPES).map((name) => sql.ref(name)))

/**
 * Store pending cells of records that were stored or deleted in the same transaction. Unscoped: one transaction takes records of
 * many parks.
 */
export async function insertPendingUnscoped(db: Database, cells: readonly PassageCell[]): Promise<void> {
  if (cells.length === 0) return
  await sql`
    INSERT INTO passage_pending (${CELL})
    SELECT ${CELL}
    FROM ${sentRows(cells, CELL_TYPES)} AS cell`.execute(db)
}

/**
 * Store pending cells of records that were deleted in the same transaction. The total of a device still includes deleted records,
 * so that deleted records of the watch list are counted separately.
 * @param cells with counts below zero
 */
export async function insertDeleted(scope: Scope, db: Database, cells: readonly PassageCell[]): Promise<void> {
  await insertPendingUnscoped(db, cells)
  const watched = Map.groupBy(
    cells.filter((cell) => cell.watched),
    (cell) => cell.deviceId,
  )
  // Always in the same order, so that two deletions cannot deadlock.
  for (const [deviceId, some] of [...watched].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await sql`INSERT INTO watched_deleted (park_id, device_id, count)
      VALUES (${scope.parkId}, ${deviceId}, ${some.reduce((sum, { count }) => sum - count, 0)})
      ON CONFLICT (park_id, device_id) DO UPDATE SET count = watched_deleted.count + excluded.count`.execute(db)
}

/** Statements that add the rows of `cells` to each table by its key, always in the same order, so that two of them cannot deadlock. */
const ADDED = (['passageHour', 'passageGroupHour', 'passageGroupDay'] as const).map((table) => {
  const place = {
    passageHour: 'local_hour, device_id',
    passageGroupHour: 'local_hour, person_group_id',
    passageGroupDay: 'device_id, person_group_id',
  }[table]
  const key = sql.raw(`park_id, local_date, ${place}, direction, result, fail_reason, temperature_mark, watched`)
  const into = sql.table(table)
  return sql`INSERT INTO ${into} (${key}, count) SELECT ${key}, sum(count) FROM cells GROUP BY ${key} ORDER BY ${key}
    ON CONFLICT (${key}) DO UPDATE SET count = ${into}.count + excluded.count RETURNING 1`
})
const addedTo = sql`hours AS (${ADDED[0]!}), group_hours AS (${ADDED[1]!}), group_days AS (${ADDED[2]!})`

/** Add at most `limit` pending cells and return their number. Unscoped: of all parks. */
export async function addPendingUnscoped(db: Database, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH cells AS (DELETE FROM passage_pending WHERE ctid = ANY (ARRAY(SELECT ctid FROM passage_pending LIMIT ${limit}))
    RETURNING *), ${addedTo}
    SELECT count(*) AS count FROM cells`.execute(db)
  return rows[0]!.count
}

/** Columns of a record as columns of a cell. */
export const asCells = sql`
  park_id, local_date, local_hour, device_id, coalesce(person_group_id, ${sql.lit(NO_GROUP)}::uuid) AS person_group_id, direction, result,
  coalesce(fail_reason, ${sql.lit(NO_REASON)}) AS fail_reason,
  CASE WHEN temperature_status BETWEEN 1 AND 4 THEN temperature_status WHEN temperature IS NULL OR temperature = -2 THEN -2
  WHEN temperature = -1 THEN -1 ELSE 0 END AS temperature_mark, watched`

/** SQL for the records of local dates; the moments that such dates can have in any zone bound the months that are read. */
const recordsOn = (scope: Scope, from: string, to: string) => sql`
  ${RECORDS} WHERE park_id = ${scope.parkId} AND local_date BETWEEN ${from} AND ${to}
  AND occurred_at >= ${timestamp(Date.parse(from) - DAY)} AND occurred_at < ${timestamp(Date.parse(to) + 2 * DAY)}`

/**
 * Count a date again from its records, replacing its counts. The transaction sees one snapshot: records stored meanwhile wait in
 * `passage_pending` and are added later.
 * @throws SQLSTATE 40001 where cells were added up meanwhile: to be tried again
 */
export async function recountDate(scope: Scope, tx: Transaction, date: string): Promise<void> {
  for (const table of ['passagePending', 'passageHour', 'passageGroupHour', 'passageGroupDay'] as const)
    await tx.deleteFrom(table).where('parkId', '=', scope.parkId).where('localDate', '=', date).execute()
  await sql`
    WITH cells AS MATERIALIZED (SELECT *, 1 AS count FROM (SELECT ${asCells} FROM ${recordsOn(scope, date, date)}) AS record), ${addedTo}
    SELECT count(*) FROM hours`.execute(tx)
}

/** Return the day, UTC, of the first record from a moment on, and the local dates of the day's records; null where there is none. */
export async function findDay(scope: Scope, db: Database, from: number): Promise<{ day: number; dates: string[] } | null> {
  const first = await recordsOf(scope, db)
    .select('occurredAt as time')
    .where('occurredAt', '>=', timestamp(from))
    .orderBy('occurredAt')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return null
  const day = Math.floor(first.time / DAY) * DAY
  const dates = await recordsOf(scope, db)
    .select('localDate as date')
    .distinct()
    .where('occurredAt', '>=', timestamp(day))
    .where('occurredAt', '<', timestamp(day + DAY))
    .orderBy('localDate')
    .execute()
  return { day, dates: dates.map(({ date }) => date) }
}

/**
 * Return the first moment of the oldest existing month; earlier months may have been dropped. Unscoped: months hold the records
 * of all parks.
 */
export async function findKeptFromUnscoped(db: Database): Promise<number> {
  const months = await listMonthsUnscoped(db)
  return Math.min(...months.map(({ from }) => from))
}

/** Whether anything was counted for earlier dates. */
export async function hasEarlier(scope: Scope, db: Database, date: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('passageHour')
      .select('count')
      .where('parkId', '=', scope.parkId)
      .where('localDate', '<', date)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

export interface StatisticsFilter {
  /** Local dates, both inclusive. */
  from: string
  to: string
  /** Null: all devices, all groups. */
  deviceIds: readonly string[] | null
  personGroupIds: readonly string[] | null
  result: number | undefined
  failReason: number | undefined
  /** Only passages whose temperature a terminal measured. */
  checked: boolean
}

export type Bucket = 'hour' | 'day' | 'month' | 'device' | 'group'

const BUCKETS = {
  hour: sql<string>`to_char(local_date, 'YYYY-MM-DD') || 'T' || lpad(local_hour::text, 2, '0')`,
  day: sql<string>`to_char(local_date, 'YYYY-MM-DD')`,
  month: sql<string>`to_char(local_date, 'YYYY-MM')`,
  device: sql<string>`device_id::text`,
  group: sql<string>`person_group_id::text`,
} satisfies Record<Bucket, unknown>

/**
 * Return the source of counts for a filter and bucket: the table with just the columns that both need, otherwise the records
 * themselves.
 */
function sourceOf(scope: Scope, { from, to, deviceIds, personGroupIds }: StatisticsFilter, by: Bucket) {
  const [ofDevices, ofGroups] = [deviceIds !== null || by === 'device' || !seesAllDevices(scope), personGroupIds !== null || by === 'group']
  if (ofDevices && ofGroups && by === 'hour') return sql`(SELECT ${asCells}, 1 AS count FROM ${recordsOn(scope, from, to)}) AS counted`
  const [table, columns] = !ofGroups
    ? ['passageHour', 'local_hour, device_id']
    : !ofDevices
      ? ['passageGroupHour', 'local_hour, person_group_id']
      : ['passageGroupDay', 'device_id, person_group_id']
  const rows = (of: string) => sql`
    SELECT local_date, ${sql.raw(columns)}, direction, result, fail_reason, temperature_mark, watched, count FROM ${sql.table(of)}
    WHERE park_id = ${scope.parkId} AND local_date BETWEEN ${from} AND ${to}`
  return sql`(${rows(table)} UNION ALL ${rows('passagePending')}) AS counted`
}

export interface StatisticsRow {
  key: string
  direction: number
  result: number
  failReason: number
  mark: number
  count: number
}

/** Return passages counted by bucket, direction, verdict, reason and temperature mark. */
export async function readStatistics(scope: Scope, db: Database, filter: StatisticsFilter, by: Bucket): Promise<StatisticsRow[]> {
  const { deviceIds, personGroupIds, result, failReason, checked } = filter
  const conditions = [
    deviceIds === null ? [] : sql`device_id = ANY(${sql.val(deviceIds)}::uuid[])`,
    personGroupIds === null ? [] : sql`person_group_id = ANY(${sql.val(personGroupIds)}::uuid[])`,
    result === undefined ? [] : sql`result = ${result}`,
    failReason === undefined ? [] : sql`fail_reason = ${failReason}`,
    checked ? sql`temperature_mark <> -2` : [],
    seesWatchList(scope) ? [] : sql`NOT watched`,
    deviceIsSeen(scope, 'counted.deviceId'),
    sql`true`,
  ].flat()
  const { rows } = await sql<StatisticsRow>`
    SELECT ${BUCKETS[by]} AS key, direction, result, fail_reason AS "failReason", temperature_mark AS mark, sum(count)::bigint AS count
    FROM ${sourceOf(scope, filter, by)} WHERE ${sql.join(conditions, sql` AND `)}
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0`.execute(db)
  return rows
}

/** Delete cells with a count of zero, whose records were deleted. */
export async function deleteEmptyCells(scope: Scope, db: Database): Promise<void> {
  for (const table of ['passageHour', 'passageGroupHour', 'passageGroupDay'] as const)
    await db.deleteFrom(table).where('parkId', '=', scope.parkId).where('count', '=', 0).execute()
}

/** Delete the numbers of deleted watch list records of devices. */
export async function deleteWatchedOfDevices(scope: Scope, tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('watchedDeleted').where('parkId', '=', scope.parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

export async function deleteStatisticsOfPark(scope: Scope, tx: Transaction): Promise<void> {
  await deleteBacklog(scope, tx)
  for (const table of TABLES) await tx.deleteFrom(table).where('parkId', '=', scope.parkId).execute()
}
