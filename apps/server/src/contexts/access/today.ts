/** The day so far against an ordinary one. */
import { localDate } from '@gatehouse/access-rules'
import type { DataOf } from '@gatehouse/contract'
import type { accessCalls } from '@gatehouse/contract/access/calls'
import { passDirection } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import { countByHour, countRejected, findInside } from './records-data.ts'
import type { AccessTables } from './schema.ts'

export type Today = DataOf<typeof accessCalls.today>

const WEEK = 7 * 86_400_000
const WEEKS = 4
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The same weekday in the weeks before a date. */
const weekdayBefore = (date: string): string[] =>
  Array.from({ length: WEEKS }, (_, index) => new Date(Date.parse(date) - (index + 1) * WEEK).toISOString().slice(0, 10))

/**
 * Figures of the park's own today. `ordinary` is the mean of entries per hour over those of the last four same
 * weekdays on which anybody passed: a park that began two weeks ago, or was closed, is not measured by empty days.
 */
export function createToday(
  platform: Platform,
  { organisation, people }: Pick<AccessDependencies, 'organisation' | 'people'>,
): (scope: Scope) => Promise<Today> {
  const db = platform.db as unknown as Database<AccessTables>
  return async (scope) => {
    const today = localDate(platform.clock.now(), organisation.park(scope).zone)
    const [counts, { rejected, strangers }, inside] = await Promise.all([
      countByHour(scope, db, [today, ...weekdayBefore(today)]),
      countRejected(scope, db, today),
      // Nobody is inside whom the register no longer has, whatever his last record says.
      findInside(scope, db, today).then((personIds) => people.facts(scope, personIds)),
    ])
    const ofToday = counts.filter((row) => row.date === today)
    const before = counts.filter((row) => row.date !== today)
    const days = new Set(before.map((row) => row.date)).size
    const sum = (rows: typeof counts, hour: number, direction: number) =>
      rows.reduce((total, row) => (row.hour === hour && row.direction === direction ? total + row.count : total), 0)
    return {
      inside: inside.length,
      allowed: ofToday.reduce((total, row) => total + row.count, 0),
      rejected,
      strangers,
      hours: HOURS.map((hour) => ({
        hour,
        in: sum(ofToday, hour, passDirection.in),
        out: sum(ofToday, hour, passDirection.out),
        ordinary: days === 0 ? 0 : sum(before, hour, passDirection.in) / days,
      })),
    }
  }
}
