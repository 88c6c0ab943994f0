/** Hours as spans: when a rule is open from one moment to another, and what two weeks of periods differ by. */
import { localTimeOfClock, minuteOfClockText, offsetStretches } from './local-time.ts'
import type { Period, TimeRule, Validity } from './model.ts'
import { dayOf } from './time-rule.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const DAY_MINUTES = 1440

/** From `from`, included, to `to`, excluded; of instants in epoch milliseconds unless said otherwise. */
export interface Span {
  from: number
  to: number
}

/**
 * When a rule is open from an instant to another, in order and apart from each other. By the clock on the wall, as
 * `explainRule` has it: skipped hours do not happen, repeated ones happen twice.
 * @throws RangeError for an unknown zone
 */
export function openSpans(rule: TimeRule, from: number, to: number, zone: string): Span[] {
  const spans: Span[] = []
  for (const stretch of offsetStretches(from, to, zone)) {
    const [begin, end] = [stretch.from + stretch.offset, stretch.to + stretch.offset]
    for (let midnight = Math.floor(begin / DAY) * DAY; midnight < end; midnight += DAY)
      for (const { start, end: until } of dayOf(rule, localTimeOfClock(midnight)).spans) {
        const span = {
          from: Math.max(begin, midnight + start * MINUTE) - stretch.offset,
          to: Math.min(end, midnight + until * MINUTE) - stretch.offset,
        }
        // A period that cannot be read is no span.
        if (span.from < span.to) spans.push(span)
      }
  }
  return unionOf(spans)
}

/** What lies in any of these, in order and apart from each other. */
export function unionOf(spans: readonly Span[]): Span[] {
  const union: Span[] = []
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = union.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else if (from < to) union.push({ from, to })
  }
  return union
}

/** What of spans lies in none of the others; both in order and apart, as `unionOf` leaves them. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const rest: Span[] = []
  let next = 0
  for (const { from, to } of spans) {
    let begin = from
    while (next < others.length && others[next]!.to <= begin) next++
    for (let place = next; place < others.length && others[place]!.from < to; place++) {
      const other = others[place]!
      if (other.from > begin) rest.push({ from: begin, to: other.from })
      begin = Math.max(begin, other.to)
    }
    if (begin < to) rest.push({ from: begin, to })
  }
  return rest
}

/** What of spans lies within a validity, whose last instant counts. */
export function during(spans: readonly Span[], { validFrom, validTo }: Validity): Span[] {
  const [begin, end] = [validFrom ?? -Infinity, (validTo ?? Infinity) + 1]
  return spans.map(({ from, to }) => ({ from: Math.max(from, begin), to: Math.min(to, end) })).filter(({ from, to }) => from < to)
}

/** Minutes of spans that are apart from each other, rounded. */
export const minutesOf = (spans: readonly Span[]): number => Math.round(spans.reduce((sum, { from, to }) => sum + to - from, 0) / MINUTE)

/** The periods of a week as spans of minutes past Monday 00:00; those that cannot be read are left out. */
export const weekSpans = (periods: readonly Period[]): Span[] =>
  unionOf(
    periods
      .map(({ weekday, start, end }) => ({
        from: (weekday - 1) * DAY_MINUTES + minuteOfClockText(start),
        to: (weekday - 1) * DAY_MINUTES + minuteOfClockText(end),
      }))
      .filter(({ from, to }) => from < to),
  )

/** Minutes a week of periods is open, without exception dates. */
export const weekMinutes = (periods: readonly Period[]): number => weekSpans(periods).reduce((sum, { from, to }) => sum + to - from, 0)

const clockText = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Spans of a week as periods, none longer than its day. */
export function periodsOf(spans: readonly Span[]): Period[] {
  return spans.flatMap(({ from, to }) => {
    const days: Period[] = []
    for (let day = Math.floor(from / DAY_MINUTES); day * DAY_MINUTES < to; day++) {
      const [start, end] = [Math.max(0, from - day * DAY_MINUTES), Math.min(DAY_MINUTES, to - day * DAY_MINUTES)]
      days.push({ weekday: day + 1, start: clockText(start), end: clockText(end) })
    }
    return days
  })
}

/** What a week gains and loses when one set of periods takes the place of another, without exception dates. */
export function weekDifference(before: readonly Period[], after: readonly Period[]): { gained: Period[]; lost: Period[] } {
  const [was, is] = [weekSpans(before), weekSpans(after)]
  return { gained: periodsOf(without(is, was)), lost: periodsOf(without(was, is)) }
}
