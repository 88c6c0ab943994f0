/** What the form of a time rule starts from. */
import type { InputOf } from '@gatehouse/contract'
import type { TimeRule, timeRuleFields } from '@gatehouse/contract/strategies/calls'
import type { Period } from './week.ts'

export type RuleValues = Partial<InputOf<typeof timeRuleFields>>

/** Stands in the address where a rule's id would, for a rule not yet made. */
export const NEW_RULE = 'new'

/** Monday to Friday, eight to six: what most rules begin as. */
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
 * Dates of rules, `YYYY-MM-DD`.
 * Dates put together, each once, in order.
 */
export const together = (...dates: readonly (readonly string[])[]): string[] => [...new Set(dates.flat())].toSorted()
