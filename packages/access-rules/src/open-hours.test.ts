import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Period, TimeRule } from './model.ts'
import { during, minutesOf, openSpans, unionOf, weekDifference, weekMinutes, without, type Span } from './open-hours.ts'
import { ruleAround, zonedMoment } from './testing/arbitraries.ts'
import { isOpen } from './time-rule.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const at = (text: string) => Date.parse(text)

const holds = (spans: readonly Span[], moment: number): boolean => spans.some(({ from, to }) => moment >= from && moment < to)
const areApart = (spans: readonly Span[]): boolean =>
  spans.every(({ from, to }, place) => from < to && (place === 0 || spans[place - 1]!.to < from))
const zonedRule = zonedMoment.chain((zoned) => fc.record({ zoned: fc.constant(zoned), rule: ruleAround(zoned.moment) }))

describe('the hours of a rule', () => {
  test('agree with the rule asked minute by minute, also around changed clocks', () => {
    let minutes = 0
    fc.assert(
      fc.property(zonedRule, ({ zoned: { moment, zone }, rule }) => {
        // Clocks change at whole minutes.
        const from = Math.floor(moment / MINUTE) * MINUTE
        const spans = openSpans(rule, from, from + 2 * DAY, zone)
        expect(areApart(spans)).toBe(true)
        let open = 0
        for (let tried = from; tried < from + 2 * DAY; tried += MINUTE) {
          const expected = isOpen(rule, tried, zone)
          open += Number(expected)
          if (holds(spans, tried) !== expected) expect.fail(`${zone} ${new Date(tried).toISOString()}`)
        }
        expect(minutesOf(spans)).toBe(open)
        minutes += open
      }),
      { numRuns: 60 },
    )
    expect(minutes).toBeGreaterThan(1000)
  })

  test('of a week are as many minutes as it says, unless a date is otherwise or the clocks change', () => {
    const rule: TimeRule = {
      id: 'office',
      periods: [1, 2, 3].map((weekday) => ({ weekday, start: '09:00', end: '17:30' })),
      allowedExceptionDates: [],
      forbiddenExceptionDates: [],
    }
    const monday = at('2026-03-02T00:00:00+08:00')
    const minutesFrom = (of: TimeRule, from = monday, zone = 'Asia/Shanghai') => minutesOf(openSpans(of, from, from + 7 * DAY, zone))
    expect(minutesFrom(rule)).toBe(weekMinutes(rule.periods))
    expect(minutesFrom({ ...rule, forbiddenExceptionDates: ['2026-03-03'] })).toBe(2 * 510)
    expect(minutesFrom({ ...rule, allowedExceptionDates: ['2026-03-08'] })).toBe(3 * 510 + 1440)
    // A Sunday of 23 hours.
    const always: TimeRule = { ...rule, periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' })) }
    expect(minutesFrom(always, at('2026-03-23T00:00:00+01:00'), 'Europe/Berlin')).toBe(7 * 1440)
    expect(openSpans(always, at('2026-03-28T23:00:00Z'), at('2026-03-29T22:00:00Z'), 'Europe/Berlin')).toEqual([
      { from: at('2026-03-28T23:00:00Z'), to: at('2026-03-29T22:00:00Z') },
    ])
  })
})

const span = fc
  .record({ from: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 0, max: 9 }) })
  .map(({ from, length }): Span => ({ from, to: from + length }))
const spansOf = fc.array(span, { maxLength: 8 })
const POINTS = Array.from({ length: 60 }, (_, point) => point)

describe('spans', () => {
  test('together and without each other hold what their points say', () => {
    fc.assert(
      fc.property(spansOf, spansOf, (some, others) => {
        const [one, other] = [unionOf(some), unionOf(others)]
        const rest = without(one, other)
        for (const spans of [one, rest]) expect(spans.every(({ from, to }) => from < to)).toBe(true)
        expect(areApart(one)).toBe(true)
        for (const point of POINTS) {
          expect(holds(one, point)).toBe(holds(some, point))
          expect(holds(rest, point)).toBe(holds(one, point) && !holds(other, point))
        }
      }),
    )
  })

  test('of a validity end with its last instant', () => {
    const spans = [
      { from: 0, to: 10 },
      { from: 20, to: 30 },
    ]
    expect(during(spans, {})).toEqual(spans)
    expect(during(spans, { validFrom: 5, validTo: 20 })).toEqual([
      { from: 5, to: 10 },
      { from: 20, to: 21 },
    ])
    expect(during(spans, { validFrom: 10, validTo: 19 })).toEqual([])
  })
})

const clock = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const week = fc.array(
  fc
    .record({
      weekday: fc.integer({ min: 1, max: 7 }),
      ends: fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 2 }),
    })
    .map(({ weekday, ends }): Period => ({ weekday, start: clock(Math.min(...ends)), end: clock(Math.max(...ends)) })),
  { maxLength: 8 },
)
const isOpenAt = (periods: readonly Period[], weekday: number, time: string): boolean =>
  periods.some((period) => period.weekday === weekday && time >= period.start && (period.end === '24:00' || time < period.end))

describe('a week', () => {
  test('differs from another by what a reading minute by minute finds', () => {
    fc.assert(
      fc.property(week, week, (before, after) => {
        const { gained, lost } = weekDifference(before, after)
        let [open, more, less] = [0, 0, 0]
        for (let minute = 0; minute < 7 * 1440; minute++) {
          const [weekday, time] = [Math.floor(minute / 1440) + 1, clock(minute % 1440)]
          const [was, is] = [isOpenAt(before, weekday, time), isOpenAt(after, weekday, time)]
          if (isOpenAt(gained, weekday, time) !== (is && !was) || isOpenAt(lost, weekday, time) !== (was && !is))
            expect.fail(`day ${weekday} ${time}`)
          open += Number(was)
          more += Number(is && !was)
          less += Number(was && !is)
        }
        expect([weekMinutes(before), weekMinutes(gained), weekMinutes(lost)]).toEqual([open, more, less])
      }),
      { numRuns: 40 },
    )
  })

  test('counts what overlaps once, leaves out what cannot be read, and keeps days apart', () => {
    const overlapping = [
      { weekday: 1, start: '08:00', end: '12:00' },
      { weekday: 1, start: '10:00', end: '13:00' },
      { weekday: 2, start: '', end: '25:00' },
    ]
    expect(weekMinutes(overlapping)).toBe(300)
    const night = [
      { weekday: 1, start: '22:00', end: '24:00' },
      { weekday: 2, start: '00:00', end: '06:00' },
    ]
    expect(weekDifference([], night)).toEqual({ gained: night, lost: [] })
    expect(weekDifference(night, night)).toEqual({ gained: [], lost: [] })
  })
})
