/** The periods of a week: parsed, copied, and grouped for words. */
import { minuteOfClockText } from '@gatehouse/access-rules/local-time'
import type { OutputOf } from '@gatehouse/contract'
import type { period } from '@gatehouse/contract/strategies/calls'
import { weekday } from '@gatehouse/contract/enums/common'

export type Period = OutputOf<typeof period>
/** A period with its place in the rule, by which its faults are named. */
export interface PlacedPeriod extends Period {
  place: number
}

export const WEEKDAYS: readonly number[] = weekday.values
const DAY_MINUTES = 1440

export const ALWAYS: Period[] = WEEKDAYS.map((day) => ({ weekday: day, start: '00:00', end: '24:00' }))

/** Return the periods of one day, in the order of the rule. */
export const periodsOf = (periods: readonly Period[], day: number): PlacedPeriod[] =>
  periods.map((one, place) => ({ ...one, place })).filter((one) => one.weekday === day)

/** Return the start and length of a period as shares of the day, 0 to 1; null where its times cannot be parsed. */
export function spanOf({ start, end }: Pick<Period, 'start' | 'end'>): { from: number; length: number } | null {
  const [from, to] = [minuteOfClockText(start), minuteOfClockText(end)]
  return from < to ? { from: from / DAY_MINUTES, length: (to - from) / DAY_MINUTES } : null
}

/** Return minutes past midnight as `08:30`; `24:00` at the end of the day. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Return the period to offer next on a day: office hours on an empty day, else hours after the last period. */
export function offeredPeriod(periods: readonly Period[], day: number): Period {
  const ends = periodsOf(periods, day)
    .map(({ end }) => minuteOfClockText(end))
    .filter((end) => !Number.isNaN(end))
  if (ends.length === 0) return { weekday: day, start: '08:00', end: '18:00' }
  const start = Math.min(Math.max(...ends) + 60, DAY_MINUTES - 60)
  return { weekday: day, start: clockOf(start), end: clockOf(Math.min(start + 240, DAY_MINUTES)) }
}

/** Return the week with the periods of one day copied over those of other days. */
export function copied(periods: readonly Period[], from: number, to: readonly number[]): Period[] {
  const targets = to.filter((day) => day !== from)
  const model = periods.filter((one) => one.weekday === from)
  return [
    ...periods.filter((one) => !targets.includes(one.weekday)),
    ...targets.flatMap((day) => model.map((one) => ({ ...one, weekday: day }))),
  ]
}

export interface WeekPart {
  from: number
  to: number
  /** `08:00–12:00`, in order; empty for closed days. */
  hours: string[]
}

/** Return the week in parts: neighbouring days with the same hours together, without closed days. */
export function weekParts(periods: readonly Period[]): WeekPart[] {
  const hoursOf = (day: number): string[] =>
    periodsOf(periods, day)
      .map(({ start, end }) => `${start}–${end}`)
      .sort()
  const parts: WeekPart[] = []
  for (const day of WEEKDAYS) {
    const hours = hoursOf(day)
    const last = parts.at(-1)
    if (last && last.to === day - 1 && last.hours.join() === hours.join()) last.to = day
    else parts.push({ from: day, to: day, hours })
  }
  return parts.filter(({ hours }) => hours.length > 0)
}
