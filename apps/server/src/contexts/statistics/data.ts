/** Rows of passages counted; every function takes the scope first, unless it works for the installation. */
import { sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import { seesAllDevices, seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import { listMonthsUnscoped, type RecordTables } from '../records/index.ts'
import { NO_GROUP, NO_REASON, type PassageCell, type StatisticsTables } from './schema.ts'

export type Tables = RecordTables & StatisticsTables
type Db = Database<Tables>

const DAY = 86_400_000
const TABLES = [
  'passage_pending',
  'passage_hour',
  'passage_group_hour',
  'passage_group_day',
  'passage_backlog',
  'watched_deleted',
  'park_measure',
] as const

/** Columns of a cell. */
const CELL = sql.raw(
  'park_id, local_date, local_hour, device_id, person_group_id, direction, result, fail_reason, temperature_mark, watched, count',
)

/** Notes what was stored or deleted, in the same transaction. Unscoped: one transaction takes records of many parks. */
export async function insertPendingUnscoped(db: Db, cells: readonly PassageCell[]): Promise<void> {
  if (cells.length === 0) return
  await sql`
    INSERT INTO passage_pending (${CELL})
    SELECT ${CELL}
    FROM json_to_recordset(${JSON.stringify(cells)}::json) AS cell (park_id uuid, local_date date, local_hour smallint, device_id uuid,
      person_group_id uuid, direction smallint, result smallint, fail_reason integer, temperature_mark smallint, watched boolean, count bigint)`.execute(
    db,
  )
}

/**
 * Notes what was deleted, in the same transaction: it counts no more. What a device has counted ever it still does, so that records of
 * the watch list are remembered there as what they were.
 *
 * @param cells each counts for less than nothing
 */
export async function insertDeleted(scope: Scope, db: Db, cells: readonly PassageCell[]): Promise<void> {
  await insertPendingUnscoped(db, cells)
  const watched = Map.groupBy(
    cells.filter((cell) => cell.watched),
    (cell) => cell.device_id,
  )
  // Always in one order: two that delete wait for each other, never both.
  for (const [deviceId, some] of [...watched].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await sql`INSERT INTO watched_deleted (park_id, device_id, count)
      VALUES (${scope.parkId}, ${deviceId}, ${some.reduce((sum, { count }) => sum - count, 0)})
      ON CONFLICT (park_id, device_id) DO UPDATE SET count = watched_deleted.count + excluded.count`.execute(db)
}

/** Adds rows called `cells` to each table by what it tells apart, always in one order: two that add wait for each other, never both. */
const ADDED = (['passage_hour', 'passage_group_hour', 'passage_group_day'] as const).map((table) => {
  const place = {
    passage_hour: 'local_hour, device_id',
    passage_group_hour: 'local_hour, person_group_id',
    passage_group_day: 'device_id, person_group_id',
  }[table]
  const key = sql.raw(`park_id, local_date, ${place}, direction, result, fail_reason, temperature_mark, watched`)
  const into = sql.table(table)
  return sql`INSERT INTO ${into} (${key}, count) SELECT ${key}, sum(count) FROM cells GROUP BY ${key} ORDER BY ${key}
    ON CONFLICT (${key}) DO UPDATE SET count = ${into}.count + excluded.count RETURNING 1`
})
const addedTo = sql`hours AS (${ADDED[0]!}), group_hours AS (${ADDED[1]!}), group_days AS (${ADDED[2]!})`

/** Adds what waits, no more than `limit` cells at once; answers how many there were. Unscoped: of all parks. */
export async function addPendingUnscoped(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH cells AS (DELETE FROM passage_pending WHERE ctid = ANY (ARRAY(SELECT ctid FROM passage_pending LIMIT ${limit})) RETURNING *), ${addedTo}
    SELECT count(*) AS count FROM cells`.execute(db)
  return rows[0]!.count
}

/** What a record tells, in the words of the cells. */
export const asCells = sql`
  park_id, local_date, local_hour, device_id, coalesce(person_group_id, ${sql.lit(NO_GROUP)}::uuid) AS person_group_id, direction, result,
  coalesce(fail_reason, ${sql.lit(NO_REASON)}) AS fail_reason,
  CASE WHEN temperature_status BETWEEN 1 AND 4 THEN temperature_status WHEN temperature IS NULL OR temperature = -2 THEN -2 WHEN temperature = -1 THEN -1 ELSE 0 END AS temperature_mark, watched`

/** Records of local dates; the moments such dates can have anywhere bound the months that are read. */
const recordsOn = (scope: Scope, from: string, to: string) => sql`
  access_record WHERE park_id = ${scope.parkId} AND local_date BETWEEN ${from} AND ${to}
  AND occurred_at >= ${timestamp(Date.parse(from) - DAY)} AND occurred_at < ${timestamp(Date.parse(to) + 2 * DAY)}`

/**
 * Counts a date anew from its records, in place of what was counted. The transaction sees one state of the database: what
 * is stored meanwhile waits in `passage_pending` and is added after. @throws SQLSTATE 40001 where both met: to be tried again
 */
export async function countDateAnew(scope: Scope, tx: Tx<Tables>, date: string): Promise<void> {
  for (const table of ['passage_pending', 'passage_hour', 'passage_group_hour', 'passage_group_day'] as const)
    await tx.deleteFrom(table).where('park_id', '=', scope.parkId).where('local_date', '=', date).execute()
  await sql`
    WITH cells AS MATERIALIZED (SELECT *, 1 AS count FROM (SELECT ${asCells} FROM ${recordsOn(scope, date, date)}) AS record), ${addedTo}
    SELECT count(*) FROM hours`.execute(tx)
}

/** The day, UTC, of the first record from a moment on, and the local dates its records have; null where there is none. */
export async function findDay(scope: Scope, db: Db, from: number): Promise<{ day: number; dates: string[] } | null> {
  const first = await db
    .selectFrom('access_record')
    .select('occurred_at as time')
    .where('park_id', '=', scope.parkId)
    .where('occurred_at', '>=', timestamp(from))
    .orderBy('occurred_at')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return null
  const day = Math.floor((first.time as number) / DAY) * DAY
  const dates = await db
    .selectFrom('access_record')
    .select('local_date as date')
    .distinct()
    .where('park_id', '=', scope.parkId)
    .where('occurred_at', '>=', timestamp(day))
    .where('occurred_at', '<', timestamp(day + DAY))
    .orderBy('local_date')
    .execute()
  return { day, dates: dates.map(({ date }) => date) }
}

/**
 * The first moment of the oldest month there is; whatever was before it may have been dropped. Unscoped: months hold the
 * records of all parks.
 */
export async function findKeptFromUnscoped(db: Db): Promise<number> {
  const months = await listMonthsUnscoped(db as unknown as Database<RecordTables>)
  return Math.min(...months.map(({ from }) => from))
}

/** Whether anything of the dates before one was counted. */
export async function hasEarlier(scope: Scope, db: Db, date: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('passage_hour')
      .select('count')
      .where('park_id', '=', scope.parkId)
      .where('local_date', '<', date)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Parks whose older records are not counted yet. Unscoped: whoever counts them asks for each. */
export async function listBacklogUnscoped(db: Db): Promise<string[]> {
  return (await db.selectFrom('passage_backlog').select('park_id as parkId').execute()).map(({ parkId }) => parkId)
}

export async function isBacklogged(scope: Scope, db: Db): Promise<boolean> {
  return (await db.selectFrom('passage_backlog').select('park_id').where('park_id', '=', scope.parkId).executeTakeFirst()) !== undefined
}

export async function deleteBacklog(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('passage_backlog').where('park_id', '=', scope.parkId).execute()
}

export async function insertBacklog(scope: Scope, db: Db): Promise<void> {
  await db
    .insertInto('passage_backlog')
    .values({ park_id: scope.parkId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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
  /** Only passages whose temperature a terminal looked at. */
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

/** Where passages are counted that are told apart so: the smallest table that knows all of it, else the records themselves. */
function sourceOf(scope: Scope, { from, to, deviceIds, personGroupIds }: StatisticsFilter, by: Bucket) {
  const [ofDevices, ofGroups] = [deviceIds !== null || by === 'device' || !seesAllDevices(scope), personGroupIds !== null || by === 'group']
  if (ofDevices && ofGroups && by === 'hour') return sql`(SELECT ${asCells}, 1 AS count FROM ${recordsOn(scope, from, to)}) AS counted`
  const [table, columns] = !ofGroups
    ? ['passage_hour', 'local_hour, device_id']
    : !ofDevices
      ? ['passage_group_hour', 'local_hour, person_group_id']
      : ['passage_group_day', 'device_id, person_group_id']
  const rows = (of: string) => sql`
    SELECT local_date, ${sql.raw(columns)}, direction, result, fail_reason, temperature_mark, watched, count FROM ${sql.table(of)}
    WHERE park_id = ${scope.parkId} AND local_date BETWEEN ${from} AND ${to}`
  return sql`(${rows(table)} UNION ALL ${rows('passage_pending')}) AS counted`
}

export interface StatisticsRow {
  key: string
  direction: number
  result: number
  failReason: number
  mark: number
  count: number
}

/** Passages counted by bucket, direction, verdict, reason and mark of temperature. */
export async function readStatistics(scope: Scope, db: Db, filter: StatisticsFilter, by: Bucket): Promise<StatisticsRow[]> {
  const { deviceIds, personGroupIds, result, failReason, checked } = filter
  const conditions = [
    deviceIds === null ? [] : sql`device_id = ANY(${sql.val(deviceIds)}::uuid[])`,
    personGroupIds === null ? [] : sql`person_group_id = ANY(${sql.val(personGroupIds)}::uuid[])`,
    result === undefined ? [] : sql`result = ${result}`,
    failReason === undefined ? [] : sql`fail_reason = ${failReason}`,
    checked ? sql`temperature_mark <> -2` : [],
    seesWatchList(scope) ? [] : sql`NOT watched`,
    deviceIsSeen(scope, 'counted.device_id'),
    sql`true`,
  ].flat()
  const { rows } = await sql<StatisticsRow>`
    SELECT ${BUCKETS[by]} AS key, direction, result, fail_reason AS "failReason", temperature_mark AS mark, sum(count)::bigint AS count
    FROM ${sourceOf(scope, filter, by)} WHERE ${sql.join(conditions, sql` AND `)}
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0`.execute(db)
  return rows
}

/** Deletes what counts for nothing any more: its records were deleted. */
export async function deleteEmptyCells(scope: Scope, db: Db): Promise<void> {
  for (const table of ['passage_hour', 'passage_group_hour', 'passage_group_day'] as const)
    await db.deleteFrom(table).where('park_id', '=', scope.parkId).where('count', '=', 0).execute()
}

export async function deleteStatisticsOfPark(scope: Scope, tx: Tx<Tables>): Promise<void> {
  for (const table of TABLES) await tx.deleteFrom(table).where('park_id', '=', scope.parkId).execute()
}
