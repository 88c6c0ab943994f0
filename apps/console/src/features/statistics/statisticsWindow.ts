/** Windows of statistics in local dates of the park, and the records counted in them. */
import type { OutputOf } from '@gatehouse/contract'
import { STATISTICS_HOURS_MAX, statisticsQuery, type StatisticsBy } from '@gatehouse/contract/statistics/calls'
import type { Days } from '../../kit/list/range.ts'

/** Query in the address; by hour and for today where it is absent. */
export const addressQuery = statisticsQuery.extend({ by: statisticsQuery.shape.by.unwrap().default('hour') })
export type StatisticsQuery = OutputOf<typeof addressQuery>

const DAY = 86_400_000
const MINUTE = 60_000
/** Days from which on a window is shown by months. */
const MONTHS_FROM = 93

export const windowIn = ({ from, to }: StatisticsQuery, today: string): Days => ({
  from: from ?? to ?? today,
  to: to ?? (from !== undefined && from > today ? from : today),
})

const daysOf = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY + 1

/** Return whether a unit of time is too fine for a window. */
export const isTooFine = (by: StatisticsBy, window: Days): boolean => by === 'hour' && daysOf(window) > STATISTICS_HOURS_MAX

/** Return the unit for another window: hours for a day, days for a season, months for more; doors and groups stay. */
export function byFor(by: StatisticsBy, window: Days): StatisticsBy {
  if (by === 'device' || by === 'group') return by
  const days = daysOf(window)
  return days === 1 ? 'hour' : days < MONTHS_FROM ? 'day' : 'month'
}

/** Return the moments of local dates, both inclusive. @param offset minutes the park is east of UTC */
export const momentsOf = ({ from, to }: Days, offset: number): { startTime: number; endTime: number } => ({
  startTime: Date.parse(from) - offset * MINUTE,
  endTime: Date.parse(to) + DAY - 1 - offset * MINUTE,
})

/** Return the moments a line covers: those of its hour, day or month, or the whole window. */
export function momentsOfLine(key: string, by: StatisticsBy, window: Days, offset: number): { startTime: number; endTime: number } {
  if (by === 'hour') {
    const startTime = Date.parse(`${key}:00:00Z`) - offset * MINUTE
    return { startTime, endTime: startTime + 60 * MINUTE - 1 }
  }
  if (by === 'day') return momentsOf({ from: key, to: key }, offset)
  if (by !== 'month') return momentsOf(window, offset)
  const [year = 0, month = 1] = key.split('-').map(Number)
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  const first = `${key}-01`
  return momentsOf({ from: first > window.from ? first : window.from, to: last < window.to ? last : window.to }, offset)
}

/** Return the label of a line: a date, month or hour. In a window of one day the hour alone is enough. */
export function timeWords(key: string, window: Days): string {
  const [date = '', hour] = key.split('T')
  if (hour === undefined) return key
  return window.from === window.to ? `${hour}:00` : `${date.slice(5)} ${hour}:00`
}
