/** Figures of the current day compared with an ordinary one, and of the day before. */
import { localDate } from '@gatehouse/access-rules'
import type { DataOf } from '@gatehouse/contract'
import type { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { passDirection } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import { countByHour, countRejected, findInside } from './days-data.ts'

export type Today = DataOf<typeof statisticsCalls.today>

const DAY = 86_400_000
const WEEK = 7 * DAY
const WEEKS = 4
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const earlier = (date: string, by: number): string => new Date(Date.parse(date) - by).toISOString().slice(0, 10)
/** Return the same weekday in the weeks before a date. */
const weekdayBefore = (date: string): string[] => Array.from({ length: WEEKS }, (_, index) => earlier(date, (index + 1) * WEEK))

/**
 * Return figures of the park's current day, and of the day before. `ordinary` is the mean number of entries per hour, over those
 * of the last four same weekdays on which anybody passed: days before a park opened, or on which it was closed, do not count.
 */
export function createToday(
  platform: Platform,
  { organisation, people }: Pick<StatisticsDependencies, 'organisation' | 'people'>,
): (scope: Scope) => Promise<Today> {
  const db = platform.db
  return async (scope) => {
    const today = localDate(platform.clock.now(), organisation.park(scope).zone)
    const yesterday = earlier(today, DAY)
    const [counts, { rejected, strangers }, refusedBefore, inside] = await Promise.all([
      countByHour(scope, db, [today, yesterday, ...weekdayBefore(today)]),
      countRejected(scope, db, today),
      countRejected(scope, db, yesterday),
      // Only registered persons count as inside, whatever the last record says.
      findInside(scope, db, today).then((personIds) => people.facts(scope, personIds)),
    ])
    const ofToday = counts.filter((row) => row.date === today)
    const ofYesterday = counts.filter((row) => row.date === yesterday)
    const before = counts.filter((row) => row.date !== today && row.date !== yesterday)
    const days = new Set(before.map((row) => row.date)).size
    const sum = (rows: typeof counts, hour: number, direction: number) =>
      rows.reduce((total, row) => (row.hour === hour && row.direction === direction ? total + row.count : total), 0)
    const passed = (rows: typeof counts, hour: number) => ({
      hour,
      in: sum(rows, hour, passDirection.in),
      out: sum(rows, hour, passDirection.out),
    })
    const all = (rows: typeof counts) => rows.reduce((total, row) => total + row.count, 0)
    return {
      inside: inside.length,
      allowed: all(ofToday),
      rejected,
      strangers,
      hours: HOURS.map((hour) => ({
        ...passed(ofToday, hour),
        ordinary: days === 0 ? 0 : sum(before, hour, passDirection.in) / days,
      })),
      previous: {
        allowed: all(ofYesterday),
        rejected: refusedBefore.rejected,
        hours: HOURS.map((hour) => passed(ofYesterday, hour)),
      },
    }
  }
}
