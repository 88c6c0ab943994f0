/**
 * Hours by the clock on the wall, of every week there is: what must hold always cannot be looked at for some days only. A week is told
 * in minutes past Monday 00:00; days that are otherwise open stand beside it by their dates.
 */
import { localTimeOfClock } from './local-time.ts'
import type { AccessStrategy, Period, TimeRule } from './model.ts'
import { periodsOf, unionOf, weekSpans, without, type Span } from './open-hours.ts'

const DAY_MINUTES = 1440
const WHOLE_WEEK: Span = { from: 0, to: 7 * DAY_MINUTES }

export interface WallHours {
  /** In order and apart from each other. */
  week: Span[]
  /** Dates `YYYY-MM-DD` that are open all day, ascending. */
  dates: string[]
}

export const NO_HOURS: WallHours = { week: [], dates: [] }

export const isOpenNever = ({ week, dates }: WallHours): boolean => week.length + dates.length === 0

/** The hours of a week that periods take; all of it where there are none. */
export const weekOf = (periods: readonly Period[]): Span[] => (periods.length === 0 ? [WHOLE_WEEK] : weekSpans(periods))

/**
 * The hours at which a strategy lets somebody pass, from a moment on. Closed days, a validity and an effective date only take from them:
 * a strategy that has yet to begin opens all the same, one that has ended never again.
 * @param timeRules a rule that is missing is closed
 */
export function wallHours(
  { timeRuleIds, validTo }: Pick<AccessStrategy, 'timeRuleIds' | 'validTo'>,
  timeRules: ReadonlyMap<string, Omit<TimeRule, 'id'>>,
  { moment, today }: { moment: number; today: string },
): WallHours {
  if ((validTo ?? Infinity) < moment) return NO_HOURS
  const rules = timeRuleIds.flatMap((id) => timeRules.get(id) ?? [])
  const datesOf = ({ allowedExceptionDates, forbiddenExceptionDates, effectiveDate }: Omit<TimeRule, 'id'>): string[] =>
    allowedExceptionDates.filter((date) => date >= today && date >= (effectiveDate ?? '') && !forbiddenExceptionDates.includes(date))
  return unionOfHours(rules.map((rule) => ({ week: weekSpans(rule.periods), dates: datesOf(rule) })))
}

/** What lies in any of these. */
export const unionOfHours = (some: readonly WallHours[]): WallHours => ({
  week: unionOf(some.flatMap(({ week }) => week)),
  dates: [...new Set(some.flatMap(({ dates }) => dates))].toSorted(),
})

/** The hours of a week that fall on the weekday of a date. */
function onDay(week: readonly Span[], date: string): Span[] {
  const from = (localTimeOfClock(Date.parse(`${date}T00:00:00Z`)).weekday - 1) * DAY_MINUTES
  return common(week, [{ from, to: from + DAY_MINUTES }])
}

const common = (some: readonly Span[], others: readonly Span[]): Span[] => without(some, without(some, others))

/**
 * What of hours falls into a week of periods and did not before.
 * @param week as `weekOf` has it
 */
export function newlyWithin(week: readonly Span[], before: WallHours, after: WallHours): WallHours {
  const was = common(before.week, week)
  return {
    week: without(common(after.week, week), was),
    dates: after.dates.filter(
      (date) => !before.dates.includes(date) && without(onDay(week, date), unionOf([...was, ...common(after.week, week)])).length > 0,
    ),
  }
}

/** A week as periods, none longer than its day. */
export const weekPeriods = (week: readonly Span[]): Period[] => periodsOf(week)
