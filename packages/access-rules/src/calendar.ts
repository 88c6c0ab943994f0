/** The days that a calendar file (iCalendar, RFC 5545) names: holidays and working days for the other days of a time rule. */
import { COST, createBudget, type Budget } from './calendar-budget.ts'
import { eventsOf, plainText, type Property } from './calendar-lines.ts'
import { recurrenceDays, recurrenceOf } from './calendar-rule.ts'
import { clockIn, createZones, DAY, durationOf, instantOf, momentOf, momentsOf, type Moment, type ZoneNamed } from './calendar-time.ts'
import { localClock } from './local-time.ts'

export { CalendarUnreadable } from './calendar-budget.ts'

export interface CalendarDay {
  /** `YYYY-MM-DD` */
  date: string
  /** What the file calls it, at most five of its events. */
  summaries: string[]
}

export interface CalendarDays {
  /** In order, at most a thousand. */
  days: CalendarDay[]
  /** How many there are in all. */
  total: number
  /** Names of events whose days cannot be computed, such as those that repeat by the hour; at most twenty. */
  unread: string[]
}

const DAYS_MOST = 1000
const SUMMARIES_MOST = 5
const UNREAD_MOST = 20
const SUMMARY_LENGTH = 100
/** Days ahead that single events are looked for, and what repeats without an end. */
const SINGLE_AHEAD = 3653
const REPEATED_AHEAD = 1096
/** Where and from when days are looked for. */
interface View {
  zone: string
  /** Number of the first day, counted from 1970-01-01. */
  from: number
  zoneNamed: ZoneNamed
  budget: Budget
}

/** One event as far as its days are concerned. */
interface Event {
  uid: string
  summary: string
  start: Moment
  /** Milliseconds; of whole days at least one day. */
  length: number
  /** In place of which occurrence of the series it stands. */
  replaces: Moment | null
  cancelled: boolean
  rules: string[]
  more: Moment[]
  except: Moment[]
}

/** Properties of one event by their names. */
type Properties = ReadonlyMap<string, readonly Property[]>

const textNamed = (properties: Properties, name: string): string => plainText(properties.get(name)?.[0]?.value ?? '', SUMMARY_LENGTH)

function momentNamed(properties: Properties, name: string, { zoneNamed }: View): Moment | null {
  const property = properties.get(name)?.[0]
  return property === undefined ? null : momentOf(property.value, property.parameters, zoneNamed)
}

/** How long an event lasts: whole days at least one, and nothing less than nothing. */
function lengthOf(properties: Properties, start: Moment, view: View): number {
  const end = momentNamed(properties, 'DTEND', view)
  const least = start.wholeDay ? DAY : 0
  if (end !== null && end.wholeDay === start.wholeDay) {
    if (start.wholeDay || end.zone === start.zone) return Math.max(least, end.clock - start.clock)
    view.budget.spend(2 * COST.zone)
    return Math.max(least, instantOf(end, view.zone) - instantOf(start, view.zone))
  }
  const duration = properties.get('DURATION')?.[0]
  return Math.max(least, (duration && durationOf(duration.value)) ?? 0)
}

/** Null where nobody can tell when it begins. */
function eventOf(properties: Properties, view: View): Event | null {
  const start = momentNamed(properties, 'DTSTART', view)
  if (start === null) return null
  const momentsNamed = (name: string): Moment[] =>
    (properties.get(name) ?? []).flatMap((property) => momentsOf(property, view.zoneNamed, view.budget))
  return {
    uid: properties.get('UID')?.[0]?.value ?? '',
    summary: textNamed(properties, 'SUMMARY'),
    start,
    length: lengthOf(properties, start, view),
    replaces: momentNamed(properties, 'RECURRENCE-ID', view),
    cancelled: textNamed(properties, 'STATUS').toUpperCase() === 'CANCELLED',
    rules: (properties.get('RRULE') ?? []).map(({ value }) => value),
    more: momentsNamed('RDATE'),
    except: momentsNamed('EXDATE'),
  }
}

/**
 * Clocks at which an event begins, by its own zone; null where its rule cannot be followed.
 * @param except also those that others replace
 */
function beginningsOf({ start, length, rules, more }: Event, except: readonly Moment[], { zone, from, budget }: View): number[] | null {
  const rule = rules.length === 1 ? recurrenceOf(rules[0]!) : null
  if (rules.length > 0 && rule === null) return null
  const first = Math.floor(start.clock / DAY)
  const ofDay = start.clock - first * DAY
  const clockOf = (moment: Moment): number => clockIn(start.zone, moment, zone)
  budget.spend(more.length + except.length)
  const elsewhere = [...more, ...except].filter((moment) => !moment.wholeDay && moment.zone !== start.zone)
  budget.spend(elsewhere.length * COST.zone)
  const clocks = [start.clock, ...more.map((moment) => (moment.wholeDay ? moment.clock + ofDay : clockOf(moment)))]
  if (rule !== null) {
    // The end is a day where days are meant, else a moment that counts with its time.
    if (rule.until?.wholeDay === false) budget.spend(COST.zone)
    const until = rule.until === null ? Infinity : rule.until.wholeDay ? rule.until.clock + DAY - 1 : clockOf(rule.until)
    const to = Math.min(from + REPEATED_AHEAD, Math.floor((until - (start.wholeDay ? 0 : ofDay)) / DAY))
    for (const day of recurrenceDays(rule, first, { from: from - Math.ceil(length / DAY) - 1, to }, budget)) {
      budget.spend(COST.day)
      clocks.push(day * DAY + ofDay)
    }
  }
  const exceptDays = new Set(except.filter(({ wholeDay }) => wholeDay).map(({ clock }) => clock / DAY))
  const exceptClocks = new Set(except.filter(({ wholeDay }) => !wholeDay).map(clockOf))
  const isLeftOut = (clock: number): boolean =>
    exceptDays.has(Math.floor(clock / DAY)) || (start.wholeDay ? false : exceptClocks.has(clock))
  budget.spend(clocks.length)
  return [...new Set(clocks)].filter((clock) => !isLeftOut(clock))
}

/** First and last day that an event touches where it is read. */
function touched({ start, length }: Event, clock: number, { zone, budget }: View): { first: number; last: number } {
  if (start.wholeDay || start.zone === null || start.zone === zone)
    return { first: Math.floor(clock / DAY), last: Math.floor(Math.max(clock, clock + length - 1) / DAY) }
  budget.spend(COST.zone)
  const instant = instantOf({ ...start, clock }, zone)
  const dayOf = (at: number): number => Math.floor(localClock(at, zone) / DAY)
  return { first: dayOf(instant), last: dayOf(Math.max(instant, instant + length - 1)) }
}

/**
 * Days that events touch, from a day on: single ones ten years ahead, those that repeat three. Times are turned into the
 * days of the reader's zone. Events that were cancelled, and occurrences taken out or replaced, do not count.
 * @param zone IANA zone of the reader
 * @param from `YYYY-MM-DD`, the first day that matters
 * @param budget how much may be looked at
 * @throws CalendarUnreadable for a file that is no calendar, has no event, or would take too long
 */
export function readCalendar(
  text: string,
  { zone, from, budget = createBudget() }: { zone: string; from: string; budget?: Budget },
): CalendarDays {
  const view: View = { zone, from: Date.parse(from) / DAY, zoneNamed: createZones(budget), budget }
  const unread = new Set<string>()
  const events = eventsOf(text, budget).flatMap((list) => {
    const properties = Map.groupBy(list, ({ name }) => name)
    const event = eventOf(properties, view)
    if (event === null) unread.add(textNamed(properties, 'SUMMARY'))
    return event ?? []
  })
  const replaced = Map.groupBy(
    events.filter(({ replaces }) => replaces !== null),
    ({ uid }) => uid,
  )
  const found = new Map<number, Set<string>>()
  for (const event of events) {
    if (event.cancelled) continue
    const others = event.replaces === null ? (replaced.get(event.uid) ?? []).map(({ replaces }) => replaces!) : []
    budget.spend(1 + others.length)
    const beginnings = beginningsOf(event, [...event.except, ...others], view)
    if (beginnings === null) {
      unread.add(event.summary)
      continue
    }
    for (const clock of beginnings) {
      const { first, last } = touched(event, clock, view)
      const end = Math.min(last, view.from + SINGLE_AHEAD)
      budget.spend((Math.max(0, end - Math.max(first, view.from)) + 1) * COST.day)
      for (let day = Math.max(first, view.from); day <= end; day++) {
        const summaries = found.get(day) ?? new Set<string>()
        if (summaries.size < SUMMARIES_MOST && event.summary !== '') summaries.add(event.summary)
        found.set(day, summaries)
      }
    }
  }
  const days = [...found].toSorted(([one], [other]) => one - other)
  return {
    days: days
      .slice(0, DAYS_MOST)
      .map(([day, summaries]) => ({ date: new Date(day * DAY).toISOString().slice(0, 10), summaries: [...summaries] })),
    total: days.length,
    unread: [...unread].slice(0, UNREAD_MOST),
  }
}
