/** Dates, times and durations of a calendar file. Clocks are milliseconds since 1970-01-01 00:00 of the clock that shows them. */
import { instantOfClock, isDate, localClock } from './local-time.ts'
import { COST, type Budget } from './calendar-budget.ts'
import type { Property } from './calendar-lines.ts'

export const DAY = 86_400_000

export interface Moment {
  clock: number
  /** IANA zone of its clock; null: of the reader. */
  zone: string | null
  wholeDay: boolean
}

/** The name of a zone as all write it, `Europe/London`; null for one nobody knows. */
export type ZoneNamed = (name: string) => string | null

/** Names of zones are letters first, unlike offsets, of which there are thousands, and none is as long. */
const ZONE_NAME = /^[A-Za-z][\w+\-/]{0,63}$/

/** Zones by what one file calls them, each looked up once. */
export function createZones(budget: Budget): ZoneNamed {
  const cached = new Map<string, string | null>()
  return (name) => {
    const before = cached.get(name)
    if (before !== undefined) return before
    budget.spend(COST.zone)
    const zone = ZONE_NAME.test(name) ? canonical(name) : null
    cached.set(name, zone)
    return zone
  }
}

/** One spelling for each, so that what is remembered of zones stays as much as there are zones. */
function canonical(name: string): string | null {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Years that clocks of zones are known for. */
const FIRST_YEAR = 1900

/** One value of a date or date-time; null where it is none. An unknown zone counts as that of the reader. */
export function momentOf(value: string, parameters: Property['parameters'], zoneNamed: ZoneNamed): Moment | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(value.trim().toUpperCase())
  if (match === null) return null
  const [, year, month, day, hour, minute, second, utc] = match
  const date = `${year}-${month}-${day}`
  if (!isDate(date) || Number(year) < FIRST_YEAR) return null
  if (hour === undefined) return { clock: Date.parse(date), zone: null, wholeDay: true }
  const [hours, minutes, seconds] = [hour, minute, second].map(Number) as [number, number, number]
  // Second 60 is a leap second.
  if (hours > 23 || minutes > 59 || seconds > 60) return null
  const named = parameters.get('TZID')
  const zone = utc === 'Z' ? 'UTC' : named === undefined ? null : zoneNamed(named)
  return { clock: Date.parse(date) + ((hours * 60 + minutes) * 60 + seconds) * 1000, zone, wholeDay: false }
}

/** Values of a list of dates or date-times; of a period its beginning. What is none is left out. */
export function momentsOf({ value, parameters }: Property, zoneNamed: ZoneNamed, budget: Budget): Moment[] {
  const values = value.split(',')
  budget.spend(values.length)
  return values.flatMap((one) => momentOf(one.split('/')[0]!, parameters, zoneNamed) ?? [])
}

/** Milliseconds of a duration such as `P1DT2H`; null where it is none, or negative. */
export function durationOf(value: string): number | null {
  const match = /^\+?P(?:(\d{1,6})W|(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?)$/i.exec(value.trim())
  if (match === null) return null
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits = '0') => Number(digits)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return (weeks * 7 + days) * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** The instant of a moment. @param here the zone of the reader */
export const instantOf = ({ clock, zone }: Moment, here: string): number => instantOfClock(clock, zone ?? here)

/** What the clock of a zone shows at a moment; whole days are the same everywhere. @param here the zone of the reader */
export function clockIn(zone: string | null, moment: Moment, here: string): number {
  const [to, from] = [zone ?? here, moment.zone ?? here]
  return moment.wholeDay || to === from ? moment.clock : localClock(instantOf(moment, here), to)
}
