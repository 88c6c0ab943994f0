/** Initial values of the form of a time rule. */
import type { InputOf } from '@gatehouse/contract'
import type { TimeRule, timeRuleFields } from '@gatehouse/contract/strategies/calls'
import type { Period } from './week.ts'

export type RuleValues = Partial<InputOf<typeof timeRuleFields>>

/** In the address in place of the id: a rule to be added. */
export const NEW_RULE = 'new'

/** Monday to Friday, eight to six: the periods of a new rule. */
const OFFICE_HOURS: Period[] = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '18:00' }))

export const newRule = (): RuleValues => ({
  periods: OFFICE_HOURS,
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  effectiveDate: null,
})

export const ruleValuesOf = ({ name, periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }: TimeRule): RuleValues => ({
  name,
  periods,
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})

/**
 * Merge dates of rules (`YYYY-MM-DD`), each once, in order.
 */
export const together = (...dates: readonly (readonly string[])[]): string[] => [...new Set(dates.flat())].toSorted()
