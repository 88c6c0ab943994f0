/** What a time rule, a strategy and a rule about a linked park must fulfil beyond their schemas, for the server and the form alike. */
import type { FieldIssue } from '@gatehouse/contract/envelope'
import { weekday } from '@gatehouse/contract/enums'
import { code, type BusinessCode } from '@gatehouse/contract/errors'
import { isDate, minuteOfClockText } from './local-time.ts'
import { worksWithoutFace } from './methods.ts'
import type { AccessStrategy, Period, TimeRule } from './model.ts'

/** The code of an issue the catalogue has none of its own for: a parameter error. */
const PARAMETER_ERROR = 400

/** One refused field with the code to answer with: 400, or a business code that says more. */
export interface AccessIssue extends FieldIssue {
  code: BusinessCode | typeof PARAMETER_ERROR
}

/** A time rule as a form holds it: periods may be half filled. */
export interface TimeRuleDraft extends Partial<Pick<TimeRule, 'allowedExceptionDates' | 'forbiddenExceptionDates' | 'effectiveDate'>> {
  periods: readonly { [Field in keyof Period]?: Period[Field] | null }[]
}

/** The persons of a rule about a linked park, as it is requested. */
export interface AudienceDraft {
  kind: string
  everybody: boolean
  personIds: readonly string[]
  personGroupIds: readonly string[]
}

export type StrategyDraft = Pick<AccessStrategy, 'timeRuleIds' | 'methods' | 'validFrom' | 'validTo'>

/** Everything a time rule is refused for, in the order of its fields; empty when it may be saved. */
export function validateTimeRule(rule: TimeRuleDraft): AccessIssue[] {
  const allowed = rule.allowedExceptionDates ?? []
  const forbidden = rule.forbiddenExceptionDates ?? []
  const effectiveDate = rule.effectiveDate ?? null
  return [
    ...(rule.periods.length === 0 ? [issue(code.periodRequired, 'periods', 'min.array', { limit: 1 })] : []),
    ...rule.periods.flatMap(periodIssues),
    ...overlapIssues(rule.periods),
    ...dateIssues('allowedExceptionDates', allowed, []),
    ...dateIssues('forbiddenExceptionDates', forbidden, allowed),
    ...(effectiveDate === null || isDate(effectiveDate) ? [] : [issue(PARAMETER_ERROR, 'effectiveDate', 'date')]),
  ]
}

/** A time rule as it stands beside others: its exception dates, and the name by which a refusal calls it. */
export type DatedRule = Pick<TimeRule, 'id' | 'allowedExceptionDates' | 'forbiddenExceptionDates'> & { name: string }

/**
 * Every time rule of one strategy that contradicts a rule before it, by the first date that one of the two opens and the other closes.
 * Rules that no strategy combines may disagree: guards come on a holiday, staff do not.
 */
export function validateCombination(rules: readonly DatedRule[]): AccessIssue[] {
  // There may be a hundred rules of thousands of dates.
  const [opened, closed, seen] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
  return rules.flatMap((rule, place) => {
    const { id, name, allowedExceptionDates, forbiddenExceptionDates } = rule
    if (seen.has(id)) return []
    seen.add(id)
    const clashes = [
      ...allowedExceptionDates.flatMap((date) => (closed.has(date) ? [{ date, allowing: name, forbidding: closed.get(date)! }] : [])),
      ...forbiddenExceptionDates.flatMap((date) => (opened.has(date) ? [{ date, allowing: opened.get(date)!, forbidding: name }] : [])),
    ]
    for (const date of allowedExceptionDates) opened.set(date, opened.get(date) ?? name)
    for (const date of forbiddenExceptionDates) closed.set(date, closed.get(date) ?? name)
    const [first] = clashes.toSorted((one, other) => (one.date < other.date ? -1 : 1))
    return first === undefined ? [] : [issue(PARAMETER_ERROR, `timeRuleIds.${place}`, 'clashingDateElsewhere', first)]
  })
}

/** Every exception date of a time rule that another rule contradicts, where some strategy combines the two. */
export function validateDatesBeside(rule: Omit<DatedRule, 'id'>, others: readonly DatedRule[]): AccessIssue[] {
  const namesBy = (field: 'allowedExceptionDates' | 'forbiddenExceptionDates') =>
    new Map(others.toReversed().flatMap((other) => other[field].map((date) => [date, other.name] as const)))
  const [opened, closed] = [namesBy('allowedExceptionDates'), namesBy('forbiddenExceptionDates')]
  const clash = (field: keyof typeof rule, place: number, params: FieldIssue['params']) =>
    issue(PARAMETER_ERROR, `${field}.${place}`, 'clashingDateElsewhere', params)
  return [
    ...rule.allowedExceptionDates.flatMap((date, place) =>
      closed.has(date) ? [clash('allowedExceptionDates', place, { date, allowing: rule.name, forbidding: closed.get(date)! })] : [],
    ),
    ...rule.forbiddenExceptionDates.flatMap((date, place) =>
      opened.has(date) ? [clash('forbiddenExceptionDates', place, { date, allowing: opened.get(date)!, forbidding: rule.name })] : [],
    ),
  ]
}

/** Everything a strategy is refused for by itself; empty when it may be saved. */
export function validateStrategy({ timeRuleIds, methods, validFrom, validTo }: StrategyDraft): AccessIssue[] {
  const issues: AccessIssue[] = []
  if (timeRuleIds.length === 0) issues.push(issue(PARAMETER_ERROR, 'timeRuleIds', 'min.array', { limit: 1 }))
  if (!methods.some(worksWithoutFace)) issues.push(issue(code.nonFaceMethodRequired, 'methods', 'nonFaceMethod'))
  if ((validTo ?? Infinity) <= (validFrom ?? -Infinity)) issues.push(issue(code.timeRangeInvalid, 'validTo', 'periodOrder'))
  return issues
}

/** Refusals of a rule about a linked park for the persons it names: everybody or a list, and which of them is never guessed. */
export function validateAudience({ kind, everybody, ...lists }: AudienceDraft): AccessIssue[] {
  const named = (['personIds', 'personGroupIds'] as const).filter((field) => lists[field].length > 0)
  // A link shares no single visitors.
  if (kind === 'visitor') return named.map((path) => issue(PARAMETER_ERROR, path, 'visitorsAll'))
  if (everybody && named.length > 0) return [issue(PARAMETER_ERROR, 'everybody', 'everybodyOrChosen')]
  if (!everybody && named.length === 0) return [issue(PARAMETER_ERROR, 'personIds', 'nobodyChosen')]
  return []
}

function issue(refusal: AccessIssue['code'], path: string, rule: string, params?: FieldIssue['params']): AccessIssue {
  return { code: refusal, path, rule, ...(params && { params }) }
}

type PeriodDraft = TimeRuleDraft['periods'][number]

const WEEKDAYS: readonly number[] = weekday.values

function periodIssues(period: PeriodDraft, place: number): AccessIssue[] {
  const at = (field: keyof Period) => `periods.${place}.${field}`
  const issues: AccessIssue[] = []
  if (typeof period.weekday !== 'number') issues.push(issue(PARAMETER_ERROR, at('weekday'), 'required'))
  else if (!WEEKDAYS.includes(period.weekday)) {
    issues.push(issue(PARAMETER_ERROR, at('weekday'), 'oneOf', { values: WEEKDAYS.join(', ') }))
  }
  for (const field of ['start', 'end'] as const) {
    if (!period[field]) issues.push(issue(PARAMETER_ERROR, at(field), 'required'))
    else if (Number.isNaN(minuteOfClockText(period[field]))) issues.push(issue(PARAMETER_ERROR, at(field), 'time'))
  }
  const { start, end } = spanOf(period)
  if (start >= end) issues.push(issue(code.timeRangeInvalid, at('end'), 'periodOrder'))
  return issues
}

const spanOf = (period: PeriodDraft) => ({
  weekday: period.weekday,
  start: minuteOfClockText(period.start),
  end: minuteOfClockText(period.end),
})

/** Each period that overlaps an earlier one of its weekday, each once; one that cannot be read overlaps nothing. */
function overlapIssues(periods: readonly PeriodDraft[]): AccessIssue[] {
  const spans = periods.map(spanOf)
  return spans.flatMap((span, place) => {
    const earlier = spans
      .slice(0, place)
      .findIndex((other) => other.weekday === span.weekday && Math.max(other.start, span.start) < Math.min(other.end, span.end))
    const other = periods[earlier]
    return other ? [issue(code.periodsOverlap, `periods.${place}`, 'periodOverlap', { start: other.start!, end: other.end! })] : []
  })
}

function dateIssues(field: string, dates: readonly string[], clashing: readonly string[]): AccessIssue[] {
  // There may be thousands, and a form asks at each change.
  const [others, before] = [new Set(clashing), new Set<string>()]
  return dates.flatMap((date, place) => {
    const refused = (rule: string) => [issue(PARAMETER_ERROR, `${field}.${place}`, rule, { date })]
    if (!isDate(date)) return refused('date')
    if (before.has(date)) return refused('duplicate')
    before.add(date)
    return others.has(date) ? refused('clashingDate') : []
  })
}
