/** Periods of lists as days on the clock of the park: presets, and moments made of days and times. */
import { dayAfter, lastDayOf, monthAfter, monthOf, placeInWeek } from '../months.ts'
import { formatInstant } from '../time.ts'

const MINUTE = 60_000

/** Epoch milliseconds, both inclusive; without an end it extends to now. */
export interface Period {
  startTime?: number | undefined
  endTime?: number | undefined
}

/** Dates of the park, both inclusive. */
export interface Days {
  from: string
  to: string
}

/** Times of day, `HH:mm`; the last minute is included. */
export interface Times {
  from: string
  to: string
}

/** A number means the last so many days. */
export type Preset = 'today' | 'yesterday' | 'thisWeek' | 'lastWeek' | 'thisMonth' | 'lastMonth' | number
/** In the order they are matched: on a Monday, this week is called today. */
export const PRESETS: readonly Preset[] = ['today', 'yesterday', 'thisWeek', 'lastWeek', 7, 'thisMonth', 'lastMonth', 30]
export const ALL_DAY: Times = { from: '00:00', to: '23:59' }

export function daysOfPreset(preset: Preset, today: string, weekStart: number): Days {
  if (typeof preset === 'number') return { from: dayAfter(today, 1 - preset), to: today }
  const week = dayAfter(today, -placeInWeek(today, weekStart))
  const last = monthAfter(monthOf(today), -1)
  return {
    today: { from: today, to: today },
    yesterday: { from: dayAfter(today, -1), to: dayAfter(today, -1) },
    thisWeek: { from: week, to: today },
    lastWeek: { from: dayAfter(week, -7), to: dayAfter(week, -1) },
    thisMonth: { from: `${monthOf(today)}-01`, to: today },
    lastMonth: { from: `${last}-01`, to: lastDayOf(last) },
  }[preset]
}

/** Return the preset that equals these days; undefined for any others. */
export const presetOf = ({ from, to }: Days, presets: readonly Preset[], today: string, weekStart: number): Preset | undefined =>
  presets.find((preset) => {
    const days = daysOfPreset(preset, today, weekStart)
    return days.from === from && days.to === to
  })

/** Return the days and times of a period; undefined where it has no start. @param offset minutes the park is east of UTC */
export function daysOfPeriod({ startTime, endTime }: Period, today: string, offset: number): { days: Days; times: Times } | undefined {
  if (startTime === undefined) return undefined
  const start = formatInstant(startTime, offset)
  const end = endTime === undefined ? `${today} ${ALL_DAY.to}` : formatInstant(endTime, offset)
  return { days: { from: start.slice(0, 10), to: end.slice(0, 10) }, times: { from: start.slice(11, 16), to: end.slice(11, 16) } }
}

/**
 * Return the period of days and times. One that extends to the end of today has no end: what happens from now on belongs to it.
 * Where the times of a single day run backwards, it extends from the first of them to the end of the day. A night shift
 * starts as such a day: choosing the second day completes it.
 */
export function periodOf({ from, to }: Days, times: Times, today: string, offset: number): Period {
  const moment = (day: string, time: string): number => Date.parse(`${day}T${time}Z`) - offset * MINUTE
  const last = from === to && times.from > times.to ? ALL_DAY.to : times.to
  return {
    startTime: moment(from, times.from),
    endTime: to === today && last === ALL_DAY.to ? undefined : moment(to, last) + MINUTE - 1,
  }
}
