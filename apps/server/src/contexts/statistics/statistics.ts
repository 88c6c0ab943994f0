/** Statistics of access records: passages counted by time, device and group, also as a file. */
import { isBacklogged } from '../records/index.ts'
import { localDate, localTime } from '@gatehouse/access-rules'
import { RECORD_WINDOW_MAX, type Language, type OutputOf } from '@gatehouse/contract'
import {
  STATISTICS_HOURS_MAX,
  temperatureMark,
  type Statistics,
  type StatisticsBy,
  type StatisticsCounts,
  type StatisticsRow,
  type statisticsCalls,
} from '@gatehouse/contract/statistics/calls'
import { accessResult, passDirection } from '@gatehouse/contract/enums'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import { NOTHING, isTime } from './counts.ts'
import { NO_GROUP } from './schema.ts'
import { statisticsFile } from './statistics-file.ts'
import * as data from './data.ts'

type Query = OutputOf<(typeof statisticsCalls)['statistics']['query']>
type ExportQuery = OutputOf<(typeof statisticsCalls)['exportStatistics']['query']>

export interface StatisticsService {
  /**
   * @param checked only passages whose temperature was measured
   * @throws Refusal 900007 a window that ends before it begins or is too long
   */
  read(scope: Scope, query: Query, checked: boolean): Promise<Statistics>
  /** The lines and their sum as a file. @throws as `read` */
  file(scope: Scope, query: ExportQuery, checked: boolean, language: Language): Promise<FileAnswer>
}

const DAY = 86_400_000

const dateOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)
const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY + 1

function add(counts: StatisticsCounts, { direction, result, mark, count }: data.StatisticsRow): void {
  counts.total += count
  if (result === accessResult.allowed) {
    counts.allowed += count
    if (direction === passDirection.in) counts.entries += count
    if (direction === passDirection.out) counts.exits += count
  } else counts.rejected += count
  if (mark !== temperatureMark.blank) counts.checked += count
  if (mark === temperatureMark.fever) counts.fever += count
}

/** Return the count of each value, highest first; counts that deleted records have made zero or negative are left out. */
function tally<K extends string>(
  rows: readonly data.StatisticsRow[],
  name: K,
  valueOf: (row: data.StatisticsRow) => number,
): ({ count: number } & Record<K, number>)[] {
  const counted = new Map<number, number>()
  for (const row of rows) counted.set(valueOf(row), (counted.get(valueOf(row)) ?? 0) + row.count)
  return [...counted]
    .filter(([, count]) => count > 0)
    .toSorted(([value, one], [another, other]) => other - one || value - another)
    .map(([value, count]) => ({ [name]: value, count }) as { count: number } & Record<K, number>)
}

/** Return every hour, day or month of a window up to now. */
function timesOf(from: string, to: string, by: 'hour' | 'day' | 'month', now: { date: string; hour: number }): string[] {
  const days = Array.from({ length: daysFrom(from, to) }, (_, index) => dateOf(Date.parse(from) + index * DAY)).filter(
    (date) => date <= now.date,
  )
  if (by === 'day') return days
  if (by === 'month') return [...new Set(days.map((date) => date.slice(0, 7)))]
  return days.flatMap((date) =>
    Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour) =>
      date === now.date && hour > now.hour ? [] : [`${date}T${String(hour).padStart(2, '0')}`],
    ),
  )
}

export function createStatistics(
  platform: Platform,
  {
    organisation,
    devices,
    groups,
    people,
    measures,
  }: Pick<StatisticsDependencies, 'organisation' | 'devices' | 'groups' | 'people' | 'measures'>,
): StatisticsService {
  const db = platform.db

  /**
   * Return the window of a query, by default today in the park. With `to` alone it is that day; with `from` alone it runs to
   * today, or is that day where `from` is later.
   * @throws Refusal 900007
   */
  function windowOf(scope: Scope, { from, to, by }: Query): { from: string; to: string } {
    const today = localDate(platform.clock.now(), organisation.park(scope).zone)
    const window = { from: from ?? to ?? today, to: to ?? (from === undefined || from > today ? (from ?? today) : today) }
    if (window.to < window.from || daysFrom(window.from, window.to) > (by === 'hour' ? STATISTICS_HOURS_MAX : RECORD_WINDOW_MAX))
      refuse(900007, to === undefined ? 'from' : 'to')
    return window
  }

  /** Return the selected devices; null: all. */
  async function devicesOf(scope: Scope, { deviceId, deviceGroupId }: Query): Promise<string[] | null> {
    const ofGroup = deviceGroupId === undefined ? null : await devices.idsInGroups(scope, [deviceGroupId])
    if (deviceId === undefined) return ofGroup
    return ofGroup === null || ofGroup.includes(deviceId) ? [deviceId] : []
  }

  /** Return the names of the devices or groups of the lines. */
  async function namesOf(scope: Scope, by: StatisticsBy, keys: readonly string[]): Promise<Map<string, string>> {
    if (isTime(by)) return new Map()
    const named =
      by === 'device'
        ? await devices.names(scope, keys)
        : await groups.names(
            scope,
            keys.filter((key) => key !== NO_GROUP),
          )
    return new Map(named.map(({ id, name }) => [id, name]))
  }

  async function read(scope: Scope, query: Query, checked: boolean): Promise<Statistics> {
    const { by, personGroupId, result, failReason } = query
    const window = windowOf(scope, query)
    const filter: data.StatisticsFilter = {
      ...window,
      deviceIds: await devicesOf(scope, query),
      personGroupIds: personGroupId === undefined ? null : await groups.withDescendants(scope, [personGroupId]),
      result,
      failReason,
      checked,
    }
    const [counted, backlogged] = await Promise.all([data.readStatistics(scope, db, filter, by), isBacklogged(scope, db)])
    const { date, minute } = localTime(platform.clock.now(), organisation.park(scope).zone)
    const summary = { ...NOTHING }
    const lines = new Map<string, StatisticsCounts>()
    if (isTime(by))
      for (const key of timesOf(window.from, window.to, by, { date, hour: Math.floor(minute / 60) })) lines.set(key, { ...NOTHING })
    const { ids: unseen } = await people.unseen(scope)
    for (const row of counted) {
      // All passages count: those of a group that the caller may not see are shown without a group.
      const key = unseen.has(row.key) ? NO_GROUP : row.key
      const line = lines.get(key) ?? { ...NOTHING }
      lines.set(key, line)
      add(line, row)
      add(summary, row)
    }
    const names = await namesOf(scope, by, [...lines.keys()])
    const rows: StatisticsRow[] = [...lines].map(([key, counts]) => ({
      key: key === NO_GROUP ? '' : key,
      name: names.get(key) ?? '',
      ...counts,
    }))
    return {
      ...window,
      by,
      summary,
      rows: isTime(by)
        ? rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
        : rows.filter(({ total }) => total > 0).toSorted((one, other) => other.total - one.total || (one.key < other.key ? -1 : 1)),
      reasons: tally(
        counted.filter(({ result: verdict, failReason: reason }) => verdict === accessResult.rejected && reason !== 0),
        'failReason',
        ({ failReason: reason }) => reason,
      ),
      temperatures: tally(counted, 'mark', ({ mark }) => mark),
      complete: !backlogged,
    }
  }

  return {
    read,
    async file(scope, { format, ...query }, checked, language) {
      const [statistics, { temperature }] = await Promise.all([read(scope, query, checked), measures(scope)])
      const [{ zone }, now] = [organisation.park(scope), platform.clock.now()]
      return statisticsFile(statistics, { format, language, checked, temperature, zone, now })
    },
  }
}
