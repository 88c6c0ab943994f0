import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TimeRule } from './model.ts'
import { ruleAround, zonedMoment } from './testing/arbitraries.ts'
import { explainRule, isOpen, nextOpening } from './time-rule.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string) => Date.parse(text)

const rule = (fields: Partial<TimeRule> = {}): TimeRule => ({
  id: 'rule',
  periods: [],
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  ...fields,
})
/** Monday to Friday 09:00–18:00; 2026-03-02 is a Monday. */
const office = rule({ periods: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '18:00' })) })
const sunday = (start: string, end: string) => rule({ periods: [{ weekday: 7, start, end }] })

/** The rule read word by word, on Temporal's clock. */
function slowlyOpen(candidate: TimeRule, moment: number, zone: string): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
  const date = local.toPlainDate().toString()
  const time = local.toPlainTime()
  if (candidate.effectiveDate && Temporal.PlainDate.compare(date, candidate.effectiveDate) < 0) return false
  if (candidate.forbiddenExceptionDates.includes(date)) return false
  if (candidate.allowedExceptionDates.includes(date)) return true
  return candidate.periods.some(
    ({ weekday, start, end }) =>
      weekday === local.dayOfWeek &&
      Temporal.PlainTime.compare(time, start) >= 0 &&
      (end === '24:00' || Temporal.PlainTime.compare(time, end) < 0),
  )
}

const zonedRule = zonedMoment.chain((zoned) => fc.record({ zoned: fc.constant(zoned), candidate: ruleAround(zoned.moment) }))

describe('whether a rule is open', () => {
  test('agrees with the slow reading, also around changed clocks', () => {
    let open = 0
    fc.assert(
      fc.property(zonedRule, ({ zoned: { moment, zone }, candidate }) => {
        const expected = slowlyOpen(candidate, moment, zone)
        open += Number(expected)
        expect(isOpen(candidate, moment, zone)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
    expect(open).toBeGreaterThan(300)
  })

  test.each([
    ['2026-03-02T08:59:59.999', false],
    ['2026-03-02T09:00:00.000', true],
    ['2026-03-02T17:59:59.999', true],
    ['2026-03-02T18:00:00.000', false],
    ['2026-03-01T12:00:00.000', false],
    ['2026-03-08T12:00:00.000', false],
  ])('start is inside, end outside: Shanghai %s %s', (local, expected) => {
    expect(isOpen(office, at(`${local}+08:00`), 'Asia/Shanghai')).toBe(expected)
  })

  test('24:00 runs to the last millisecond of the day, and two periods make a night', () => {
    const night = rule({
      periods: [
        { weekday: 1, start: '22:00', end: '24:00' },
        { weekday: 2, start: '00:00', end: '06:00' },
      ],
    })
    expect(isOpen(night, at('2026-03-02T21:59:59.999Z'), 'UTC')).toBe(false)
    expect(isOpen(night, at('2026-03-02T23:59:59.999Z'), 'UTC')).toBe(true)
    expect(isOpen(night, at('2026-03-03T00:00:00.000Z'), 'UTC')).toBe(true)
    expect(isOpen(night, at('2026-03-03T06:00:00.000Z'), 'UTC')).toBe(false)
    expect(isOpen(night, at('2026-03-03T23:00:00.000Z'), 'UTC')).toBe(false)
  })

  test('a period in the skipped hour does not happen', () => {
    const skipped = sunday('02:00', '03:00')
    expect(isOpen(skipped, at('2026-03-29T00:59:59.999Z'), 'Europe/Berlin')).toBe(false)
    expect(isOpen(skipped, at('2026-03-29T01:00:00.000Z'), 'Europe/Berlin')).toBe(false)
  })

  test('a period in the repeated hour happens twice', () => {
    const repeated = sunday('02:00', '02:30')
    const open = ['00:00', '00:29', '00:30', '01:00', '01:29', '01:30'].filter((time) =>
      isOpen(repeated, at(`2026-10-25T${time}:00Z`), 'Europe/Berlin'),
    )
    expect(open).toEqual(['00:00', '00:29', '01:00', '01:29'])
  })

  test('a period that cannot be read is closed', () => {
    const broken = rule({
      periods: [
        { weekday: 1, start: '', end: '24:00' },
        { weekday: 1, start: '00:00', end: '25:00' },
      ],
    })
    expect(isOpen(broken, at('2026-03-02T12:00:00Z'), 'UTC')).toBe(false)
  })
})

describe('why', () => {
  const monday = at('2026-03-02T12:00:00Z')
  const date = '2026-03-02'

  test('a period, and which', () => {
    expect(explainRule(office, monday, 'UTC')).toEqual({
      open: true,
      reason: 'period',
      date,
      period: { weekday: 1, start: '09:00', end: '18:00' },
    })
  })

  test('no period', () => {
    expect(explainRule(sunday('00:00', '24:00'), monday, 'UTC')).toEqual({ open: false, reason: 'noPeriod', date })
  })

  test('an allowed date opens the whole day', () => {
    const allowed = rule({ allowedExceptionDates: [date] })
    expect(explainRule(allowed, at('2026-03-02T00:00:00Z'), 'UTC')).toEqual({ open: true, reason: 'allowedDate', date })
    expect(isOpen(allowed, at('2026-03-02T23:59:59.999Z'), 'UTC')).toBe(true)
    expect(isOpen(allowed, at('2026-03-03T00:00:00Z'), 'UTC')).toBe(false)
  })

  test('a forbidden date wins over a period and over an allowed date', () => {
    const forbidden = rule({ ...office, allowedExceptionDates: [date], forbiddenExceptionDates: [date] })
    expect(explainRule(forbidden, monday, 'UTC')).toEqual({ open: false, reason: 'forbiddenDate', date })
  })

  test('before its effective date a rule is closed, even on an allowed date', () => {
    const later = rule({ ...office, allowedExceptionDates: [date], effectiveDate: '2026-03-03' })
    expect(explainRule(later, monday, 'UTC')).toEqual({ open: false, reason: 'beforeEffective', date })
    expect(isOpen(rule({ ...office, effectiveDate: date }), monday, 'UTC')).toBe(true)
  })

  test('dates are those of the zone', () => {
    const allowed = rule({ allowedExceptionDates: ['2026-03-03'] })
    expect(isOpen(allowed, at('2026-03-02T16:00:00Z'), 'Asia/Shanghai')).toBe(true)
    expect(isOpen(allowed, at('2026-03-02T16:00:00Z'), 'UTC')).toBe(false)
  })
})

describe('the next opening', () => {
  /** Minute by minute for a day; clocks change at whole minutes, so nothing opens between them. */
  function slowlyNext(candidate: TimeRule, moment: number, zone: string): number | null {
    for (let tried = moment; tried < moment + DAY; tried = (Math.floor(tried / 60_000) + 1) * 60_000) {
      if (slowlyOpen(candidate, tried, zone)) return tried
    }
    return null
  }

  test('agrees with a search minute by minute, also around changed clocks', () => {
    fc.assert(
      fc.property(zonedRule, ({ zoned: { moment, zone }, candidate }) => {
        const next = nextOpening(candidate, moment, zone)
        expect(next !== null && next < moment + DAY ? next : null).toBe(slowlyNext(candidate, moment, zone))
      }),
      { numRuns: 150 },
    )
  })

  test('further on it is open there, closed just before, and closed at every quarter of an hour until then', () => {
    fc.assert(
      fc.property(zonedRule, ({ zoned: { moment, zone }, candidate }) => {
        const next = nextOpening(candidate, moment, zone)
        const until = next ?? moment + 14 * DAY
        const before = [until - 1]
        for (let tried = moment; tried < until; tried += 15 * 60_000) before.push(tried)
        expect(next === null || slowlyOpen(candidate, next, zone)).toBe(true)
        expect(before.filter((tried) => tried >= moment && isOpen(candidate, tried, zone))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('now, while it is open', () => {
    const noon = at('2026-03-02T12:00:00.123Z')
    expect(nextOpening(office, noon, 'UTC')).toBe(noon)
  })

  test('on Monday, from Friday evening', () => {
    expect(nextOpening(office, at('2026-03-06T18:00:00+08:00'), 'Asia/Shanghai')).toBe(at('2026-03-09T09:00:00+08:00'))
  })

  test('after the skipped hour when it would have begun in it', () => {
    expect(nextOpening(sunday('02:30', '05:00'), at('2026-03-29T00:00:00Z'), 'Europe/Berlin')).toBe(at('2026-03-29T01:00:00Z'))
  })

  test('in the second of two repeated hours, once the first is over', () => {
    expect(nextOpening(sunday('02:00', '02:30'), at('2026-10-25T00:30:00Z'), 'Europe/Berlin')).toBe(at('2026-10-25T01:00:00Z'))
  })

  test('past more forbidden dates than any week has', () => {
    const mondays = Array.from({ length: 10 }, (_, week) => new Date(at('2026-03-02') + week * 7 * DAY).toISOString().slice(0, 10))
    const closed = rule({ periods: [{ weekday: 1, start: '08:00', end: '09:00' }], forbiddenExceptionDates: mondays })
    expect(nextOpening(closed, at('2026-03-02T00:00:00Z'), 'UTC')).toBe(at('2026-05-11T08:00:00Z'))
  })

  test('on a far allowed date, and none beyond 366 days', () => {
    const start = at('2026-03-02T00:00:00Z')
    expect(nextOpening(rule({ allowedExceptionDates: ['2027-03-02'] }), start, 'UTC')).toBe(at('2027-03-02T00:00:00Z'))
    expect(nextOpening(rule({ allowedExceptionDates: ['2027-03-03'] }), start, 'UTC')).toBeNull()
    expect(nextOpening(rule(), start, 'UTC')).toBeNull()
  })

  test('by the one period that can be read', () => {
    const periods = [
      { weekday: 1, start: '', end: '24:00' },
      { weekday: 1, start: '06:00', end: '05:00' },
      { weekday: 1, start: '07:00', end: '07:00' },
      { weekday: 1, start: '08:00', end: '09:00' },
    ]
    expect(nextOpening(rule({ periods }), at('2026-03-02T00:00:00Z'), 'UTC')).toBe(at('2026-03-02T08:00:00Z'))
  })

  test('not on a date the zone left out', () => {
    const friday = rule({ periods: [{ weekday: 5, start: '00:00', end: '24:00' }] })
    expect(nextOpening(friday, at('2011-12-29T12:00:00-10:00'), 'Pacific/Apia')).toBe(at('2012-01-06T00:00:00+14:00'))
  })
})
