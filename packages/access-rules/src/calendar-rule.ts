/**
 * Rules by which events of a calendar repeat, as far as they can be expressed in days: RRULE without seconds to hours, weeks
 * of the year and positions.
 */
import type { Budget } from './calendar-budget.ts'
import { momentOf, DAY, type Moment } from './calendar-time.ts'

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
type Frequency = (typeof FREQUENCIES)[number]

/** Nothing stands in a list twice: what is looked at is at most 12 months, 62 days of a month and 107 of each weekday. */
export interface Recurrence {
  frequency: Frequency
  interval: number
  /** How many there are in all, the first one among them; null: no end by number. */
  count: number | null
  until: Moment | null
  /** `nth` 0: each of them; counted from the end where it is negative. Weekdays 1 Monday … 7 Sunday. */
  byDay: readonly { nth: number; weekday: number }[]
  byMonth: readonly number[]
  /** Counted from the end of the month where it is negative. */
  byMonthDay: readonly number[]
  weekStart: number
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const weekdayNamed = (name: string): number => WEEKDAYS.indexOf(name) + 1
/** Numbers a rule may name at once. */
const LIST_MOST = 400

/** A list of different whole numbers from 1 to `most`, negative ones too where these are taken; null where there is anything else. */
function numbersOf(text: string | undefined, most: number, negative: boolean): number[] | null {
  if (text === undefined) return []
  const parts = text.split(',')
  if (parts.length > LIST_MOST) return null
  const numbers = parts.map(Number)
  const fits = (number: number, place: number) =>
    /^[+-]?\d{1,3}$/.test(parts[place]!) && number !== 0 && Math.abs(number) <= most && (negative || number > 0)
  return numbers.every(fits) ? [...new Set(numbers)] : null
}

/** Weeks of a year, counted from either end. */
const WEEKS_MOST = 53

function daysNamed(text: string | undefined): Recurrence['byDay'] | null {
  if (text === undefined) return []
  const parts = text.split(',')
  if (parts.length > LIST_MOST) return null
  const days = new Map<string, { nth: number; weekday: number }>()
  for (const part of parts) {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(part)
    const [nth, weekday] = [Number(match?.[1] ?? 0), weekdayNamed(match?.[2] ?? '')]
    if (match === null || weekday === 0 || Math.abs(nth) > WEEKS_MOST || (nth === 0 && match[1] !== undefined)) return null
    days.set(`${nth} ${weekday}`, { nth, weekday })
  }
  return [...days.values()]
}

const KNOWN_PARTS = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTH', 'BYMONTHDAY', 'WKST'])

/** The rule that a text states; null for one that cannot be expressed in days, or is none. */
export function recurrenceOf(text: string): Recurrence | null {
  const entries = text
    .trim()
    .toUpperCase()
    .split(';')
    .filter(Boolean)
    .map((part) => part.split('='))
  const parts = new Map(entries.map(([name = '', value = '']) => [name, value]))
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'))
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : null
  const until = parts.has('UNTIL') ? momentOf(parts.get('UNTIL')!, new Map(), () => null) : null
  const [byDay, byMonth, byMonthDay] = [
    daysNamed(parts.get('BYDAY')),
    numbersOf(parts.get('BYMONTH'), 12, false),
    numbersOf(parts.get('BYMONTHDAY'), 31, true),
  ]
  const weekStart = weekdayNamed(parts.get('WKST') ?? 'MO')
  if (frequency === undefined || byDay === null || byMonth === null || byMonthDay === null || weekStart === 0) return null
  if (parts.size < entries.length || [...parts.keys()].some((name) => !KNOWN_PARTS.has(name))) return null
  if (!Number.isSafeInteger(interval) || interval < 1 || interval > 1_000_000) return null
  if (count !== null && (!Number.isSafeInteger(count) || count < 1)) return null
  if (parts.has('UNTIL') && until === null) return null
  const numbered = byDay.some(({ nth }) => nth !== 0)
  // What RFC 5545 says must not stand together.
  if (frequency === 'WEEKLY' && byMonthDay.length > 0) return null
  if (numbered && (frequency === 'DAILY' || frequency === 'WEEKLY' || byMonthDay.length > 0)) return null
  return { frequency, interval, count, until, byDay, byMonth, byMonthDay, weekStart }
}

const dateOf = (day: number) => {
  const date = new Date(day * DAY)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, ofMonth: date.getUTCDate() }
}
/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1
/** Number of a day, counted from 1970-01-01; `month` may lie beyond a year. */
const dayAt = (year: number, month: number, ofMonth: number): number => Date.UTC(year, month - 1, ofMonth) / DAY
const lengthOf = (year: number, month: number): number => dayAt(year, month + 1, 1) - dayAt(year, month, 1)

/** Days from `start`, `length` of them, that are one of these weekdays, or the nth of them. */
function weekdaysWithin(start: number, length: number, byDay: Recurrence['byDay'], budget: Budget): number[] {
  const days: number[] = []
  for (const { nth, weekday } of byDay) {
    budget.spend(1)
    const first = start + ((weekday - weekdayOf(start) + 7) % 7)
    const weeks = Math.ceil((start + length - first) / 7)
    if (Math.abs(nth) > weeks) continue
    const from = nth > 0 ? nth - 1 : nth < 0 ? weeks + nth : 0
    const to = nth === 0 ? weeks : from + 1
    budget.spend(to - from)
    for (let week = from; week < to; week++) days.push(first + 7 * week)
  }
  return days
}

/** Days of one month by a rule. @param ofMonth of the first one, where the rule names no days */
function daysInMonth(year: number, month: number, { byDay, byMonthDay }: Recurrence, ofMonth: number, budget: Budget): number[] {
  const [start, length] = [dayAt(year, month, 1), lengthOf(year, month)]
  if (byMonthDay.length > 0) {
    budget.spend(byMonthDay.length * (1 + byDay.length))
    const days = byMonthDay.map((number) => (number > 0 ? number : length + 1 + number)).filter((number) => number >= 1 && number <= length)
    return days
      .map((number) => start + number - 1)
      .filter((day) => byDay.length === 0 || byDay.some(({ weekday }) => weekday === weekdayOf(day)))
  }
  if (byDay.length > 0) return weekdaysWithin(start, length, byDay, budget)
  return ofMonth <= length ? [start + ofMonth - 1] : []
}

/** Days of the rule's nth period after the one the first day lies in. */
function daysOfPeriod(rule: Recurrence, first: number, period: number, budget: Budget): number[] {
  const { frequency, interval, byDay, byMonth, byMonthDay, weekStart } = rule
  const { year, month, ofMonth } = dateOf(first)
  budget.spend(1)
  const isOfMonth = (day: number) => byMonth.length === 0 || byMonth.includes(dateOf(day).month)
  if (frequency === 'DAILY') {
    budget.spend(byMonth.length + byMonthDay.length + byDay.length)
    const day = first + period * interval
    const at = dateOf(day)
    const onDay =
      byMonthDay.length === 0 ||
      byMonthDay.some((number) => (number > 0 ? number : lengthOf(at.year, at.month) + 1 + number) === at.ofMonth)
    return isOfMonth(day) && onDay && (byDay.length === 0 || byDay.some(({ weekday }) => weekday === weekdayOf(day))) ? [day] : []
  }
  if (frequency === 'WEEKLY') {
    const start = first - ((weekdayOf(first) - weekStart + 7) % 7) + 7 * period * interval
    const days = weekdaysWithin(start, 7, byDay.length > 0 ? byDay : [{ nth: 0, weekday: weekdayOf(first) }], budget)
    budget.spend(days.length * byMonth.length)
    return days.filter(isOfMonth)
  }
  if (frequency === 'MONTHLY') {
    budget.spend(byMonth.length)
    const months = year * 12 + month - 1 + period * interval
    const [thatYear, thatMonth] = [Math.floor(months / 12), (months % 12) + 1]
    return byMonth.length === 0 || byMonth.includes(thatMonth) ? daysInMonth(thatYear, thatMonth, rule, ofMonth, budget) : []
  }
  const thatYear = year + period * interval
  const months = byMonth.length > 0 ? byMonth : byMonthDay.length > 0 ? MONTHS : null
  if (months !== null) {
    budget.spend(months.length)
    return months.flatMap((named) => daysInMonth(thatYear, named, rule, ofMonth, budget))
  }
  if (byDay.length > 0) return weekdaysWithin(dayAt(thatYear, 1, 1), dayAt(thatYear + 1, 1, 1) - dayAt(thatYear, 1, 1), byDay, budget)
  return daysInMonth(thatYear, month, rule, ofMonth, budget)
}

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1)

/** Days from the beginning of one period to that of the next: at the most, and at the least. */
const MOST: Record<Frequency, number> = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }
const LEAST: Record<Frequency, number> = { DAILY: 1, WEEKLY: 7, MONTHLY: 28, YEARLY: 365 }
/** No day a calendar can name lies beyond: 9999-12-31. */
const LAST_DAY = dayAt(9999, 12, 31)

/**
 * Days on which something that repeats begins, in order, numbered from 1970-01-01. The first one counts whatever the rule says.
 * @param from of days before it only the first one is answered
 * @param to the last day looked at
 */
export function* recurrenceDays(
  rule: Recurrence,
  first: number,
  { from, to }: { from: number; to: number },
  budget: Budget,
): Generator<number> {
  const end = Math.min(to, LAST_DAY)
  // Where nothing is counted, what lies long before need not be walked through.
  const passed = rule.count === null ? Math.max(0, Math.floor((from - first) / (MOST[rule.frequency] * rule.interval)) - 2) : 0
  let counted = 0
  if (first <= end) {
    yield first
    counted = 1
  }
  for (let period = passed; rule.count === null || counted < rule.count; period++) {
    // The earliest day the period can have: the first one's own may begin before it. What lies beyond has no date.
    if (first - MOST[rule.frequency] + period * rule.interval * LEAST[rule.frequency] > end) return
    const days = [...new Set(daysOfPeriod(rule, first, period, budget))].filter((day) => day > first).toSorted((one, other) => one - other)
    for (const day of days) {
      if (day > end || (rule.count !== null && counted >= rule.count)) return
      if (day >= from) yield day
      counted++
    }
  }
}
