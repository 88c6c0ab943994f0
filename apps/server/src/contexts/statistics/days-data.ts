/** Counts of the records of a day; every function takes the scope first. */
import { accessResult, passDirection } from '@gatehouse/contract/enums'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import { isCounted, isStranger, numberedAt, RECORDS, recordsOf } from '../records/index.ts'

const DAY = 86_400_000

/** Return the span of moments that can have this local date in some zone, which bounds the months that are read. */
const within = (date: string) => ({ from: timestamp(Date.parse(date) - DAY), to: timestamp(Date.parse(date) + 2 * DAY) })

const onDate = (scope: Scope, db: Database, date: string) =>
  recordsOf(scope, db)
    .where('localDate', '=', date)
    .where('occurredAt', '>=', within(date).from)
    .where('occurredAt', '<', within(date).to)
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))

/** Return the allowed passages of some days by local hour and direction. */
export async function countByHour(
  scope: Scope,
  db: Database,
  dates: readonly string[],
): Promise<{ date: string; hour: number; direction: number; count: number }[]> {
  const ordered = dates.toSorted()
  const all = recordsOf(scope, db)
    .select(['localDate as date', 'localHour as hour', 'direction'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('localDate', 'in', dates)
    .where('result', '=', sql.lit(accessResult.allowed))
    .where('occurredAt', '>=', within(ordered[0]!).from)
    .where('occurredAt', '<', within(ordered.at(-1)!).to)
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))
    .groupBy(['localDate', 'localHour', 'direction'])
  const counts = await all.execute()
  if (seesWatchList(scope)) return counts
  // All are counted from an index that does not say whether a record is of the watch list; those few are counted separately and subtracted.
  const unseen = await all.where('watched', '=', sql.lit(true)).execute()
  const key = ({ date, hour, direction }: (typeof counts)[number]): string => `${date} ${hour} ${direction}`
  const taken = new Map(unseen.map((row) => [key(row), row.count]))
  return counts.flatMap((row) => {
    const count = row.count - (taken.get(key(row)) ?? 0)
    return count > 0 ? [{ ...row, count }] : []
  })
}

/** SQL for all passages of the watch list at a device: records may have been dropped or deleted, but their counts remain. */
const watchedAt = (scope: Scope) => sql`(SELECT coalesce(sum(count), 0) FROM (
  SELECT count FROM passage_group_day WHERE park_id = ${scope.parkId} AND device_id = wanted.id AND watched
  UNION ALL SELECT count FROM passage_pending WHERE park_id = ${scope.parkId} AND device_id = wanted.id AND watched
  UNION ALL SELECT count FROM watched_deleted WHERE park_id = ${scope.parkId} AND device_id = wanted.id) AS unseen)::bigint`

/**
 * Return the attempted passages at devices, on a day and in total. Devices number their passages without gaps, so the total needs
 * no counting: the numbers stored, less those no record came for, less those that do not count for the caller.
 */
export async function countByDevice(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  date: string,
): Promise<{ deviceId: string; today: number; total: number }[]> {
  const { from, to } = within(date)
  const { rows } = await sql<{ deviceId: string; today: number; total: number }>`
    SELECT wanted.id AS "deviceId",
      (SELECT count(*) FROM ${RECORDS}
      WHERE park_id = ${scope.parkId} AND device_id = wanted.id AND local_date = ${date} AND occurred_at >= ${from}
      AND occurred_at < ${to} AND ${isCounted(scope)}) AS today,
      ${numberedAt(scope, 'wanted.id')} - ${seesWatchList(scope) ? sql`0` : watchedAt(scope)} AS total
    FROM unnest(${sql.val(deviceIds)}::uuid[]) AS wanted (id)`.execute(db)
  return rows
}

/** Return the refused passages of a day, and the strangers among them. */
export async function countRejected(scope: Scope, db: Database, date: string): Promise<{ rejected: number; strangers: number }> {
  return onDate(scope, db, date)
    .select((eb) => [eb.fn.countAll<number>().as('rejected'), eb.fn.countAll<number>().filterWhere(isStranger).as('strangers')])
    .where('result', '=', sql.lit(accessResult.rejected))
    .where(isCounted(scope))
    .executeTakeFirstOrThrow()
}

/** Return the persons whose last allowed passage of a day was inward, including persons no longer registered. */
export async function findInside(scope: Scope, db: Database, date: string): Promise<string[]> {
  const last = onDate(scope, db, date)
    .select(['personId', 'direction'])
    .distinctOn('personId')
    .where('result', '=', sql.lit(accessResult.allowed))
    .where('personId', 'is not', null)
    .orderBy('personId')
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
  const rows = await db.selectFrom(last.as('last')).select('personId').where('direction', '=', passDirection.in).execute()
  return rows.map(({ personId }) => personId!)
}
