/** When a time rule is open, why, and when it opens next. */
import { localTime, localTimeOfClock, minuteOfClockText, offsetStretches, type LocalTime } from './local-time.ts'
import type { Period, TimeRule } from './model.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const SEARCH_DAYS = 366

export type RuleReason = 'period' | 'allowedDate' | 'forbiddenDate' | 'beforeEffective' | 'noPeriod'

export interface RuleExplanation {
  open: boolean
  reason: RuleReason
  /** The local date it was looked up for. */
  date: string
  /** The period that opens it, for reason `period`. */
  period?: Period
}

/** Spans of minutes past 00:00 in which a rule is open on one local date; `end` exclusive. */
interface Day {
  reason: Exclude<RuleReason, 'noPeriod'> | 'periods'
  spans: readonly { start: number; end: number; period?: Period }[]
}

const WHOLE_DAY = { start: 0, end: 1440 }

/** The spans of a rule on one local date, and why these. */
export function dayOf(rule: TimeRule, { date, weekday }: Pick<LocalTime, 'date' | 'weekday'>): Day {
  if (rule.effectiveDate && date < rule.effectiveDate) return { reason: 'beforeEffective', spans: [] }
  if (rule.forbiddenExceptionDates.includes(date)) return { reason: 'forbiddenDate', spans: [] }
  if (rule.allowedExceptionDates.includes(date)) return { reason: 'allowedDate', spans: [WHOLE_DAY] }
  const today = rule.periods.filter((period) => period.weekday === weekday)
  return {
    reason: 'periods',
    spans: today.map((period) => ({ start: minuteOfClockText(period.start), end: minuteOfClockText(period.end), period })),
  }
}

/**
 * Whether a rule is open and what made it so. By the clock on the wall: a period in a skipped hour does not happen, one
 * in a repeated hour happens twice. A period that cannot be read is closed.
 * @throws RangeError for an unknown zone
 */
export function explainRule(rule: TimeRule, moment: number, zone: string): RuleExplanation {
  return explainRuleAt(rule, localTime(moment, zone))
}

/** The same for a clock already read, for many rules at one instant. */
export function explainRuleAt(rule: TimeRule, local: LocalTime): RuleExplanation {
  const { reason, spans } = dayOf(rule, local)
  const span = spans.find(({ start, end }) => local.minute >= start && local.minute < end)
  if (reason !== 'periods') return { open: span !== undefined, reason, date: local.date }
  return span
    ? { open: true, reason: 'period', date: local.date, period: span.period }
    : { open: false, reason: 'noPeriod', date: local.date }
}

/** Whether a rule is open at an instant in a zone. */
export function isOpen(rule: TimeRule, moment: number, zone: string): boolean {
  return explainRule(rule, moment, zone).open
}

/**
 * The first instant, `moment` included, at which a rule is open; null when it stays closed for the next 366 days.
 * @throws RangeError for an unknown zone
 */
export function nextOpening(rule: TimeRule, moment: number, zone: string): number | null {
  for (const stretch of offsetStretches(moment, moment + SEARCH_DAYS * DAY, zone)) {
    const opening = firstOpenClock(rule, stretch.from + stretch.offset, stretch.to + stretch.offset)
    if (opening !== null) return opening - stretch.offset
  }
  return null
}

/** The first clock reading from `from` to before `to`, within which clocks run evenly, at which a rule is open. */
function firstOpenClock(rule: TimeRule, from: number, to: number): number | null {
  for (let midnight = Math.floor(from / DAY) * DAY; midnight < to; midnight += DAY) {
    const starts = dayOf(rule, localTimeOfClock(midnight))
      .spans.filter(({ start, end }) => start < end && midnight + end * MINUTE > from)
      .map(({ start }) => Math.max(from, midnight + start * MINUTE))
    const first = Math.min(...starts)
    if (first < to) return first
  }
  return null
}
