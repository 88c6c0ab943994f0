import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Period } from './model.ts'
import { isOpen } from './time-rule.ts'
import {
  validateAudience,
  validateCombination,
  validateDatesBeside,
  validateStrategy,
  validateTimeRule,
  type AudienceDraft,
  type DatedRule,
  type StrategyDraft,
  type TimeRuleDraft,
} from './validation.ts'

const period = (weekday: number, start: string, end: string): Period => ({ weekday, start, end })
const withPeriods = (...periods: TimeRuleDraft['periods']): TimeRuleDraft => ({ periods })
const withDates = (allowedExceptionDates: string[], forbiddenExceptionDates: string[] = []): TimeRuleDraft => ({
  periods: [period(1, '09:00', '18:00')],
  allowedExceptionDates,
  forbiddenExceptionDates,
})

const strategy = (fields: Partial<StrategyDraft> = {}): StrategyDraft => ({ timeRuleIds: ['rule'], methods: [1, 4], ...fields })
const twoDigits = (value: number) => String(value).padStart(2, '0')
const clockText = (quarter: number) => `${twoDigits(Math.floor(quarter / 4))}:${twoDigits((quarter % 4) * 15)}`

describe('a time rule', () => {
  test.each<[string, TimeRuleDraft]>([
    ['one period', withPeriods(period(1, '09:00', '18:00'))],
    ['the whole day', withPeriods(period(7, '00:00', '24:00'))],
    ['periods that touch', withPeriods(period(1, '12:00', '18:00'), period(1, '09:00', '12:00'))],
    ['the same hours on two weekdays', withPeriods(period(1, '09:00', '18:00'), period(2, '09:00', '18:00'))],
    ['dates and an effective date', { ...withDates(['2026-03-07'], ['2026-03-09']), effectiveDate: '2024-02-29' }],
    ['an effective date left empty', { ...withDates([]), effectiveDate: null }],
  ])('may have %s', (_, rule) => {
    expect(validateTimeRule(rule)).toEqual([])
  })

  test.each<[string, TimeRuleDraft, object]>([
    ['no period', withPeriods(), { code: 300204, path: 'periods', rule: 'min.array', params: { limit: 1 } }],
    [
      'overlapping periods',
      withPeriods(period(1, '09:00', '12:00'), period(2, '09:00', '12:00'), period(1, '11:59', '13:00')),
      { code: 300203, path: 'periods.2', rule: 'periodOverlap', params: { start: '09:00', end: '12:00' } },
    ],
    [
      'a period within another',
      withPeriods(period(3, '10:00', '11:00'), period(3, '00:00', '24:00')),
      { code: 300203, path: 'periods.1', rule: 'periodOverlap', params: { start: '10:00', end: '11:00' } },
    ],
    [
      'the same period twice',
      withPeriods(period(3, '10:00', '11:00'), period(3, '10:00', '11:00')),
      { code: 300203, path: 'periods.1', rule: 'periodOverlap', params: { start: '10:00', end: '11:00' } },
    ],
    ['an end before its start', withPeriods(period(1, '18:00', '09:00')), { code: 900007, path: 'periods.0.end', rule: 'periodOrder' }],
    ['an end at its start', withPeriods(period(1, '09:00', '09:00')), { code: 900007, path: 'periods.0.end', rule: 'periodOrder' }],
    ['a start left empty', withPeriods({ weekday: 1, start: '', end: '09:00' }), { code: 400, path: 'periods.0.start', rule: 'required' }],
    ['an end left empty', withPeriods({ weekday: 1, start: '09:00' }), { code: 400, path: 'periods.0.end', rule: 'required' }],
    [
      'a weekday left empty',
      withPeriods({ weekday: null, start: '09:00', end: '18:00' }),
      { code: 400, path: 'periods.0.weekday', rule: 'required' },
    ],
    [
      'an eighth weekday',
      withPeriods(period(8, '09:00', '18:00')),
      { code: 400, path: 'periods.0.weekday', rule: 'oneOf', params: { values: '1, 2, 3, 4, 5, 6, 7' } },
    ],
    ['a time that is none', withPeriods(period(1, '09:00', '24:30')), { code: 400, path: 'periods.0.end', rule: 'time' }],
    [
      'an allowed date twice',
      withDates(['2026-03-07', '2026-03-07']),
      { code: 400, path: 'allowedExceptionDates.1', rule: 'duplicate', params: { date: '2026-03-07' } },
    ],
    [
      'a forbidden date twice',
      withDates([], ['2026-03-07', '2026-03-07']),
      { code: 400, path: 'forbiddenExceptionDates.1', rule: 'duplicate', params: { date: '2026-03-07' } },
    ],
    [
      'a date both allowed and forbidden',
      withDates(['2026-03-07'], ['2026-03-07']),
      { code: 400, path: 'forbiddenExceptionDates.0', rule: 'clashingDate', params: { date: '2026-03-07' } },
    ],
    [
      'a date no calendar has',
      withDates(['2026-02-30']),
      { code: 400, path: 'allowedExceptionDates.0', rule: 'date', params: { date: '2026-02-30' } },
    ],
    [
      'an effective date no calendar has',
      { ...withDates([]), effectiveDate: '2026-13-01' },
      { code: 400, path: 'effectiveDate', rule: 'date' },
    ],
  ])('may not have %s', (_, rule, issue) => {
    expect(validateTimeRule(rule)).toEqual([issue])
  })

  test('no period, or periods that overlap, end before they start or are half filled: refused [VAL-145, VAL-146, VAL-147, VAL-149]', () => {
    const codesOf = (...periods: TimeRuleDraft['periods']) => validateTimeRule({ periods }).map(({ code }) => code)
    expect(codesOf()).toEqual([300204])
    expect(codesOf(period(1, '09:00', '12:00'), period(1, '11:59', '18:00'))).toEqual([300203])
    expect(codesOf(period(1, '18:00', '09:00'))).toEqual([900007])
    expect(codesOf({ weekday: 1, start: '09:00' }, { weekday: 2, end: '18:00' })).toEqual([400, 400])
  })

  test('whose date stands twice, or is both allowed and forbidden, is refused', () => {
    const rulesOf = (allowed: string[], forbidden: string[] = []) =>
      validateTimeRule(withDates(allowed, forbidden)).map(({ path, rule }) => [path, rule])
    expect(rulesOf(['2026-03-07', '2026-03-08', '2026-03-07'])).toEqual([['allowedExceptionDates.2', 'duplicate']])
    expect(rulesOf(['2026-03-07'], ['2026-03-08', '2026-03-07'])).toEqual([['forbiddenExceptionDates.1', 'clashingDate']])
    expect(rulesOf(['2026-03-07'], ['2026-03-08'])).toEqual([])
  })

  test('is told everything at once', () => {
    const rule: TimeRuleDraft = { ...withPeriods(period(1, '18:00', '09:00'), { weekday: 1 }), effectiveDate: 'soon' }
    expect(validateTimeRule(rule).map(({ path }) => path)).toEqual(['periods.0.end', 'periods.1.start', 'periods.1.end', 'effectiveDate'])
  })

  test('overlaps exactly when some minute of a day lies in two of its periods', () => {
    const ordered = fc
      .record({
        weekday: fc.integer({ min: 1, max: 2 }),
        start: fc.integer({ min: 0, max: 95 }),
        length: fc.integer({ min: 1, max: 20 }),
      })
      .map(({ weekday, start, length }) => period(weekday, clockText(start), clockText(Math.min(start + length, 96))))
    const monday = Date.parse('2026-03-02T00:00:00Z')
    let overlapping = 0
    fc.assert(
      fc.property(fc.array(ordered, { minLength: 1, maxLength: 6 }), (periods) => {
        const single = periods.map((each) => ({ id: '', periods: [each], allowedExceptionDates: [], forbiddenExceptionDates: [] }))
        const quarters = Array.from({ length: 2 * 96 }, (_, quarter) => monday + quarter * 15 * 60_000)
        const expected = quarters.some((moment) => single.filter((rule) => isOpen(rule, moment, 'UTC')).length > 1)
        overlapping += Number(expected)
        expect(validateTimeRule({ periods }).some(({ code }) => code === 300203)).toBe(expected)
      }),
      { numRuns: 200 },
    )
    expect(overlapping).toBeGreaterThan(20)
    expect(overlapping).toBeLessThan(200)
  })
})

describe('a strategy', () => {
  test.each<[string, StrategyDraft]>([
    ['face and card', strategy()],
    ['a code alone', strategy({ methods: [6] })],
    ['no bounds', strategy({ validFrom: null, validTo: null })],
    ['an end only', strategy({ validTo: 1 })],
    ['an end after its beginning', strategy({ validFrom: 1, validTo: 2 })],
  ])('may have %s', (_, draft) => {
    expect(validateStrategy(draft)).toEqual([])
  })

  test.each<[string, StrategyDraft, object]>([
    ['no time rule', strategy({ timeRuleIds: [] }), { code: 400, path: 'timeRuleIds', rule: 'min.array', params: { limit: 1 } }],
    ['no method', strategy({ methods: [] }), { code: 300206, path: 'methods', rule: 'nonFaceMethod' }],
    ['face alone', strategy({ methods: [1] }), { code: 300206, path: 'methods', rule: 'nonFaceMethod' }],
    [
      'methods that all compare a face',
      strategy({ methods: [1, 3, 5, 7, 9, 10, 11] }),
      { code: 300206, path: 'methods', rule: 'nonFaceMethod' },
    ],
    ['an end at its beginning', strategy({ validFrom: 2, validTo: 2 }), { code: 900007, path: 'validTo', rule: 'periodOrder' }],
    ['an end before its beginning', strategy({ validFrom: 2, validTo: 1 }), { code: 900007, path: 'validTo', rule: 'periodOrder' }],
  ])('may not have %s', (_, draft, issue) => {
    expect(validateStrategy(draft)).toEqual([issue])
  })

  test('without a rule, without a method that compares no face, or ending before it begins is refused [VAL-150, VAL-151, VAL-154]', () => {
    const codesOf = (fields: Partial<StrategyDraft>) => validateStrategy(strategy(fields)).map(({ code }) => code)
    expect(codesOf({ timeRuleIds: [] })).toEqual([400])
    expect(codesOf({ methods: [1, 5] })).toEqual([300206])
    expect(codesOf({ validFrom: 2, validTo: 1 })).toEqual([900007])
  })
})

describe('time rules of one strategy', () => {
  const rule = (id: string, allowedExceptionDates: string[], forbiddenExceptionDates: string[] = []): DatedRule => ({
    id,
    name: id.toUpperCase(),
    allowedExceptionDates,
    forbiddenExceptionDates,
  })
  const clash = (path: string, date: string, allowing: string, forbidding: string) => ({
    code: 400,
    path,
    rule: 'clashingDateElsewhere',
    params: { date, allowing, forbidding },
  })

  test('must not open a date that another of them closes: each but the first is marked, with its earliest such date [VAL-148]', () => {
    expect(validateCombination([rule('a', ['2026-03-07']), rule('b', [], ['2026-03-08']), rule('c', ['2026-03-07'])])).toEqual([])
    expect(validateCombination([rule('a', ['2026-03-07', '2026-03-09']), rule('b', [], ['2026-03-09', '2026-03-07'])])).toEqual([
      clash('timeRuleIds.1', '2026-03-07', 'A', 'B'),
    ])
    expect(
      validateCombination([rule('a', [], ['2026-03-07']), rule('b', []), rule('c', ['2026-03-07']), rule('d', ['2026-03-07'])]),
    ).toEqual([clash('timeRuleIds.2', '2026-03-07', 'C', 'A'), clash('timeRuleIds.3', '2026-03-07', 'D', 'A')])
    const twice = rule('a', ['2026-03-07'], ['2026-03-07'])
    expect(validateCombination([twice, twice])).toEqual([])
  })

  test('are looked at in both directions when the dates of one are changed: each date that clashes is marked [VAL-148]', () => {
    const changed = rule('a', ['2026-03-07', '2026-03-08'], ['2026-03-09', '2026-03-10'])
    expect(validateDatesBeside(changed, [rule('b', ['2026-03-08'], ['2026-03-10'])])).toEqual([])
    expect(validateDatesBeside(changed, [rule('b', [], ['2026-03-08']), rule('c', ['2026-03-09', '2026-03-10'], ['2026-03-08'])])).toEqual([
      clash('allowedExceptionDates.1', '2026-03-08', 'A', 'B'),
      clash('forbiddenExceptionDates.0', '2026-03-09', 'C', 'A'),
      clash('forbiddenExceptionDates.1', '2026-03-10', 'C', 'A'),
    ])
  })
})

describe('a rule about a linked park', () => {
  const audience = (fields: Partial<AudienceDraft> = {}): AudienceDraft => ({
    kind: 'staff',
    everybody: false,
    personIds: [],
    personGroupIds: [],
    ...fields,
  })

  test.each<[string, AudienceDraft]>([
    ['everybody', audience({ everybody: true })],
    ['a list of persons', audience({ personIds: ['ann'] })],
    ['a list of groups', audience({ personGroupIds: ['crew'] })],
    ['all visitors, whether or not that is said', audience({ kind: 'visitor' })],
    ['all visitors', audience({ kind: 'visitor', everybody: true })],
  ])('may be about %s', (_, draft) => {
    expect(validateAudience(draft)).toEqual([])
  })

  test.each<[string, AudienceDraft, object[]]>([
    ['neither everybody nor a list', audience(), [{ code: 400, path: 'personIds', rule: 'nobodyChosen' }]],
    [
      'everybody and a list of persons',
      audience({ everybody: true, personIds: ['ann'] }),
      [{ code: 400, path: 'everybody', rule: 'everybodyOrChosen' }],
    ],
    [
      'everybody and a list of groups',
      audience({ everybody: true, personGroupIds: ['crew'] }),
      [{ code: 400, path: 'everybody', rule: 'everybodyOrChosen' }],
    ],
    [
      'single visitors',
      audience({ kind: 'visitor', everybody: true, personIds: ['ann'], personGroupIds: ['crew'] }),
      [
        { code: 400, path: 'personIds', rule: 'visitorsAll' },
        { code: 400, path: 'personGroupIds', rule: 'visitorsAll' },
      ],
    ],
  ])('may not be about %s', (_, draft, issues) => {
    expect(validateAudience(draft)).toEqual(issues)
  })
})
