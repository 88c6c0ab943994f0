/** The periods of a week: read, copied and told in few words. */
import { minuteOfClockText } from '@gatehouse/access-rules/local-time'
import type { OutputOf } from '@gatehouse/contract'
import type { period } from '@gatehouse/contract/strategies/calls'
import { weekday } from '@gatehouse/contract/enums/common'

export type Period = OutputOf<typeof period>
/** A period with its place in the rule, by which its faults are told. */
export interface PlacedPeriod extends Period {
  place: number
}

export const WEEKDAYS: readonly number[] = weekday.values
const DAY_MINUTES = 1440

export const ALWAYS: Period[] = WEEKDAYS.map((day) => ({ weekday: day, start: '00:00', end: '24:00' }))

/** Periods of one day, in the order of the rule. */
export const periodsOf = (periods: readonly Period[], day: number): PlacedPeriod[] =>
  periods.map((one, place) => ({ ...one, place })).filter((one) => one.weekday === day)

/** Share of the day a period begins at and lasts, 0 to 1; null where its times cannot be read. */
export function spanOf({ start, end }: Pick<Period, 'start' | 'end'>): { from: number; length: number } | null {
  const [from, to] = [minuteOfClockText(start), minuteOfClockText(end)]
  return from < to ? { from: from / DAY_MINUTES, length: (to - from) / DAY_MINUTES } : null
}

/** `08:30` of minutes past midnight; `24:00` at the end of the day. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** A period to offer next on a day: office hours on an empty one, else the hours after the last. */
export function offeredPeriod(periods: readonly Period[], day: number): Period {
  const ends = periodsOf(periods, day)
    .map(({ end }) => minuteOfClockText(end))
    .filter((end) => !Number.isNaN(end))
  if (ends.length === 0) return { weekday: day, start: '08:00', end: '18:00' }
  const start = Math.min(Math.max(...ends) + 60, DAY_MINUTES - 60)
  return { weekday: day, start: clockOf(start), end: clockOf(Math.min(start + 240, DAY_MINUTES)) }
}

/** The periods of one day put in place of those of other days. */
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

/** The week in as few parts as it has: neighbouring days with the same hours stand together, closed ones are left out. */
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
