/** What records of a day come to; every function takes the scope first. */
import { accessResult, passDirection } from '@gatehouse/contract/enums'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import { isCounted, isStranger } from '../records/index.ts'
import type { Tables } from './data.ts'

type Db = Database<Tables>

const DAY = 86_400_000

/** Moments that can have this local date in some zone: bounds the months that are read. */
const within = (date: string) => ({ from: timestamp(Date.parse(date) - DAY), to: timestamp(Date.parse(date) + 2 * DAY) })

const onDate = (scope: Scope, db: Db, date: string) =>
  db
    .selectFrom('access_record')
    .where('park_id', '=', scope.parkId)
    .where('local_date', '=', date)
    .where('occurred_at', '>=', within(date).from)
    .where('occurred_at', '<', within(date).to)
    .where(deviceIsSeen(scope, 'access_record.device_id'))

/** Allowed passages of some days by local hour and direction. */
export async function countByHour(
  scope: Scope,
  db: Db,
  dates: readonly string[],
): Promise<{ date: string; hour: number; direction: number; count: number }[]> {
  const ordered = dates.toSorted()
  const all = db
    .selectFrom('access_record')
    .select(['local_date as date', 'local_hour as hour', 'direction'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('park_id', '=', scope.parkId)
    .where('local_date', 'in', dates)
    .where('result', '=', sql.lit(accessResult.allowed))
    .where('occurred_at', '>=', within(ordered[0]!).from)
    .where('occurred_at', '<', within(ordered.at(-1)!).to)
    .where(deviceIsSeen(scope, 'access_record.device_id'))
    .groupBy(['local_date', 'local_hour', 'direction'])
  const counts = await all.execute()
  if (seesWatchList(scope)) return counts
  // All are counted from an index alone, which does not know whose they are; those of the watch list are few, and taken off.
  const unseen = await all.where('watched', '=', sql.lit(true)).execute()
  const key = ({ date, hour, direction }: (typeof counts)[number]): string => `${date} ${hour} ${direction}`
  const taken = new Map(unseen.map((row) => [key(row), row.count]))
  return counts.flatMap((row) => {
    const count = row.count - (taken.get(key(row)) ?? 0)
    return count > 0 ? [{ ...row, count }] : []
  })
}

/** Passages of the watch list at a device, ever: their records may have been dropped or deleted, what was counted of them stays. */
const watchedAt = (scope: Scope) => sql`(SELECT coalesce(sum(count), 0) FROM (
  SELECT count FROM passage_group_day WHERE park_id = ${scope.parkId} AND device_id = wanted.id AND watched
  UNION ALL SELECT count FROM passage_pending WHERE park_id = ${scope.parkId} AND device_id = wanted.id AND watched
  UNION ALL SELECT count FROM watched_deleted WHERE park_id = ${scope.parkId} AND device_id = wanted.id) AS unseen)::bigint`

/**
 * Passages tried at devices, on a day and ever. All of them are numbered by the device without gaps, so that how many
 * there were is known without counting: the numbers stored, less those no record came for, and those that do not count for the asker.
 */
export async function countByDevice(
  scope: Scope,
  db: Db,
  deviceIds: readonly string[],
  date: string,
): Promise<{ deviceId: string; today: number; total: number }[]> {
  const { from, to } = within(date)
  const { rows } = await sql<{ deviceId: string; today: number; total: number }>`
    SELECT wanted.id AS "deviceId",
      (SELECT count(*) FROM access_record WHERE park_id = ${scope.parkId} AND device_id = wanted.id AND local_date = ${date} AND occurred_at >= ${from} AND occurred_at < ${to} AND ${isCounted(scope)}) AS today,
      (SELECT coalesce(sum(ack_seq), 0) FROM device_epoch WHERE park_id = ${scope.parkId} AND device_id = wanted.id)::bigint
        - (SELECT coalesce(sum(to_seq - from_seq + 1), 0) FROM record_gap WHERE park_id = ${scope.parkId} AND device_id = wanted.id)::bigint
        - ${seesWatchList(scope) ? sql`0` : watchedAt(scope)} AS total
    FROM unnest(${sql.val(deviceIds)}::uuid[]) AS wanted (id)`.execute(db)
  return rows
}

/** Refused passages of a day, and those of nobody known among them. */
export async function countRejected(scope: Scope, db: Db, date: string): Promise<{ rejected: number; strangers: number }> {
  return onDate(scope, db, date)
    .select((eb) => [eb.fn.countAll<number>().as('rejected'), eb.fn.countAll<number>().filterWhere(isStranger).as('strangers')])
    .where('result', '=', sql.lit(accessResult.rejected))
    .where(isCounted(scope))
    .executeTakeFirstOrThrow()
}

/** Persons whose last allowed passage of a day was inwards, those who have left the register since among them. */
export async function findInside(scope: Scope, db: Db, date: string): Promise<string[]> {
  const last = onDate(scope, db, date)
    .select(['person_id as personId', 'direction'])
    .distinctOn('person_id')
    .where('result', '=', sql.lit(accessResult.allowed))
    .where('person_id', 'is not', null)
    .orderBy('person_id')
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
  const rows = await db.selectFrom(last.as('last')).select('personId').where('direction', '=', passDirection.in).execute()
  return rows.map(({ personId }) => personId!)
}
