/** Local time of a zone by `Intl`, which the browsers in use have and `Temporal` is not yet everywhere. */

const MINUTE = 60_000
const DAY = 86_400_000

/** A wall clock at one instant. */
export interface LocalTime {
  /** `YYYY-MM-DD` */
  date: string
  /** 1 Monday … 7 Sunday. */
  weekday: number
  /** Whole minutes the clock shows past 00:00, 0..1439. */
  minute: number
}

/** A zone's clock, and the last quarter of an hour within which its offset is known not to change. */
interface ZoneClock {
  formatter: Intl.DateTimeFormat
  from: number
  to: number
  offset: number
}

const QUARTER = 15 * MINUTE
/** The last instant a date can have. */
const LAST_INSTANT = 100_000_000 * DAY
const clocks = new Map<string, ZoneClock>()

/** Digits and calendar are fixed, so that the host's language never reaches a decision. */
function clockOf(zone: string): ZoneClock {
  let clock = clocks.get(zone)
  if (!clock) {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clock = { formatter, from: 0, to: 0, offset: 0 }
    clocks.set(zone, clock)
  }
  return clock
}

/**
 * Milliseconds the zone's clock is ahead of UTC at an instant. Passages come one after the other, so a quarter of an hour
 * is remembered: asking `Intl` takes longer than the rest of a decision.
 * @throws RangeError for an unknown zone or an instant that is no date
 */
export function offsetAt(moment: number, zone: string): number {
  const clock = clockOf(zone)
  if (moment >= clock.from && moment < clock.to) return clock.offset
  const from = Math.floor(moment / QUARTER) * QUARTER
  const offset = measuredOffset(clock, from)
  // No zone ever changed its clocks twice within a quarter of an hour.
  if (measuredOffset(clock, Math.min(from + QUARTER - 1, LAST_INSTANT)) !== offset) return measuredOffset(clock, moment)
  Object.assign(clock, { from, to: from + QUARTER, offset })
  return offset
}

function measuredOffset({ formatter }: ZoneClock, moment: number): number {
  const field = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of formatter.formatToParts(moment)) {
    if (type in field) field[type as keyof typeof field] = Number(value)
  }
  const shown = Date.UTC(field.year, field.month - 1, field.day, field.hour, field.minute, field.second)
  return shown - Math.floor(moment / 1000) * 1000
}

/** The wall clock that shows `clock` milliseconds since 1970-01-01 00:00 local. */
export function localTimeOfClock(clock: number): LocalTime {
  const day = Math.floor(clock / DAY)
  const weekday = new Date(day * DAY).getUTCDay()
  return {
    date: new Date(day * DAY).toISOString().slice(0, 10),
    weekday: weekday === 0 ? 7 : weekday,
    minute: Math.floor((clock - day * DAY) / MINUTE),
  }
}

/** What the clocks of a zone show at an instant. */
export function localTime(moment: number, zone: string): LocalTime {
  return localTimeOfClock(moment + offsetAt(moment, zone))
}

/** The date in a zone at an instant, `YYYY-MM-DD`. */
export function localDate(moment: number, zone: string): string {
  return localTime(moment, zone).date
}

/** Minutes east of UTC at an instant (UTC+8 = 480), rounded where history had seconds. */
export function offsetMinutes(moment: number, zone: string): number {
  return Math.round(offsetAt(moment, zone) / MINUTE)
}

/** First instant after `from` and at most `limit` from which another offset holds, or `limit`. At most one change between them. */
function nextOffsetChange(from: number, limit: number, zone: string): number {
  const offset = offsetAt(from, zone)
  if (offsetAt(limit, zone) === offset) return limit
  let before = from
  let after = limit
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle, zone) === offset) before = middle
    else after = middle
  }
  return after
}

/** Stretches of one offset, in order, that together cover `from` (inclusive) to `to` (exclusive); each at most a day long. */
export function* offsetStretches(from: number, to: number, zone: string): Generator<{ from: number; to: number; offset: number }> {
  for (let start = from; start < to;) {
    const end = nextOffsetChange(start, Math.min(start + DAY, to), zone)
    yield { from: start, to: end, offset: offsetAt(start, zone) }
    start = end
  }
}

/** Instants at which the clocks of a zone show `clock`: none in a skipped hour, two in a repeated one; and the offset before either. */
function instantsOfClock(clock: number, zone: string): { instants: number[]; offsetBefore: number } {
  const offsetBefore = offsetAt(clock - DAY, zone)
  const offsets = new Set([offsetBefore, offsetAt(clock + DAY, zone)])
  const instants = [...offsets].map((offset) => clock - offset).filter((instant) => instant + offsetAt(instant, zone) === clock)
  return { instants, offsetBefore }
}

/** The instant at which the clocks of a zone show `clock`: the first of two, or, in a skipped hour, as if they had not been put forward. */
export function instantOfClock(clock: number, zone: string): number {
  const { instants, offsetBefore } = instantsOfClock(clock, zone)
  return instants.length > 0 ? Math.min(...instants) : clock - offsetBefore
}

/** What the clocks of a zone show at an instant, in milliseconds since 1970-01-01 00:00 local. */
export const localClock = (moment: number, zone: string): number => moment + offsetAt(moment, zone)

/** The instant at which a local date begins: its first 00:00, or the end of the hour skipped there. */
export const startOfDay = (date: string, zone: string): number => instantOfClock(clockOfDate(date), zone)

/** The last millisecond of a local date, 23:59:59.999; the later one where the clocks show it twice. */
export function endOfDay(date: string, zone: string): number {
  const clock = clockOfDate(date) + DAY - 1
  const { instants, offsetBefore } = instantsOfClock(clock, zone)
  return instants.length > 0 ? Math.max(...instants) : clock - offsetBefore
}

/** @throws RangeError unless `date` is a day of the calendar, `YYYY-MM-DD` */
function clockOfDate(date: string): number {
  if (!isDate(date)) throw new RangeError(`No date: ${date}`)
  return Date.parse(date)
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const parsed = Date.parse(text)
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(text)
}

/** Minutes past 00:00 of `HH:mm`, up to 1440 for `24:00`; NaN for anything else. */
export function minuteOfClockText(text: unknown): number {
  const match = typeof text === 'string' ? /^(\d{2}):(\d{2})$/.exec(text) : null
  if (!match) return Number.NaN
  const hour = Number(match[1])
  const minute = Number(match[2])
  return minute < 60 && (hour < 24 || (hour === 24 && minute === 0)) ? hour * 60 + minute : Number.NaN
}
