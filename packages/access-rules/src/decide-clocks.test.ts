import { afterEach, describe, expect, test, vi } from 'vitest'
import { always, EVERY_DAY, passage, periods, rule } from './cases/passage.ts'
import { decide } from './decide.ts'
import type { TimeRule } from './model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Changes of clocks: an hour, half an hour, a date left out; and two zones without any. */
const CHANGES = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Asia/Shanghai', '2026-03-29T01:00Z'],
  ['Asia/Kathmandu', '2026-03-29T01:00Z'],
  ['UTC', '2026-03-29T01:00Z'],
] as const

/** Every minute from so long before to so long after an instant, and the milliseconds around it. */
function* minutesAround(instant: number, span: number): Generator<number> {
  for (let moment = instant - span; moment <= instant + span; moment += MINUTE) yield moment
  yield* [instant - 1, instant, instant + 1]
}

const opens = (each: TimeRule, moment: number, zone: string) =>
  decide(passage({ device: { zone }, moment, strategies: [{ timeRuleIds: [each.id] }], rules: [each] })).verdict === 'allowed'

describe.each(CHANGES)('%s around %s', (zone, change) => {
  const instant = Date.parse(change)
  const clock = (moment: number) => Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainTime()

  test('a rule of every day, 00:00 to 24:00, is never closed', () => {
    const closed = [...minutesAround(instant, 26 * HOUR)].filter((moment) => !opens(always(), moment, zone))
    expect(closed).toEqual([])
  })

  test('of two rules that share the day, exactly one is open at every minute', () => {
    const shares = ['00:00', '01:45', '02:00', '02:30', '03:00', '23:30'].map((cut) => [
      rule('before', { periods: periods(EVERY_DAY, `00:00-${cut}`) }),
      rule('after', { periods: periods(EVERY_DAY, `${cut}-24:00`) }),
    ])
    for (const rules of shares) {
      const odd = [...minutesAround(instant, 4 * HOUR)].filter((moment) => rules.filter((each) => opens(each, moment, zone)).length !== 1)
      expect(odd).toEqual([])
    }
  })

  test('minute by minute, a period is open exactly when the clock on the wall stands in it', () => {
    const wall = periods(EVERY_DAY, '01:30-02:15')
    const wrong = [...minutesAround(instant, 4 * HOUR)].filter((moment) => {
      const time = clock(moment)
      const within = Temporal.PlainTime.compare(time, '01:30') >= 0 && Temporal.PlainTime.compare(time, '02:15') < 0
      return opens(rule('wall', { periods: wall }), moment, zone) !== within
    })
    expect(wrong).toEqual([])
  })
})

test('a rule that takes effect tomorrow does so at 00:00 of the device [STATE:effectiveRule:takes effect tomorrow>in effect]', () => {
  const tomorrow = always({ effectiveDate: '2026-03-03' })
  const midnight = Date.parse('2026-03-03T00:00+11:00')
  expect([midnight - DAY, midnight - 1, midnight, midnight + DAY].map((moment) => opens(tomorrow, moment, 'Australia/Lord_Howe'))).toEqual([
    false,
    false,
    true,
    true,
  ])
})

describe('a thousand exception dates', () => {
  const noon = Date.parse('2026-03-02T12:00Z')
  const dates = Array.from({ length: 1000 }, (_, day) => new Date(noon + 2 * day * DAY).toISOString().slice(0, 10))
  const openOn = (each: TimeRule) => Array.from({ length: 2000 }, (_, day) => opens(each, noon + day * DAY, 'UTC'))

  test('are all kept shut, and the days between are not [FIELD-2]', () => {
    expect(openOn(always({ forbiddenExceptionDates: dates }))).toEqual(Array.from({ length: 2000 }, (_, day) => day % 2 === 1))
  })

  test('are all open, and the days between are not [FIELD-2]', () => {
    expect(openOn(rule('never', { periods: [], allowedExceptionDates: dates }))).toEqual(
      Array.from({ length: 2000 }, (_, day) => day % 2 === 0),
    )
  })
})

describe('the zone is that of the device', () => {
  afterEach(() => vi.unstubAllEnvs())

  /** Monday 02:00 UTC: ten in the morning at one, night at the other, Sunday evening at the third. */
  const moment = Date.parse('2026-03-02T02:00Z')
  const office = rule('office')

  test.each([
    ['UTC', 0],
    ['America/New_York', 300],
    ['Asia/Shanghai', -480],
    ['Pacific/Apia', -780],
  ])('wherever the process runs: %s [FIELD-11]', (processZone, minutesWest) => {
    vi.stubEnv('TZ', processZone)
    expect(new Date(moment).getTimezoneOffset()).toBe(minutesWest)
    const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia']
    expect(zones.map((zone) => opens(office, moment, zone))).toEqual([true, false, false, true])
  })

  test('and follows it when the device is moved [FIELD-11]', () => {
    const at = (zone: string) => decide(passage({ device: { zone }, moment, rules: [office] })).failReason
    expect([at('Asia/Shanghai'), at('America/New_York'), at('Asia/Shanghai')]).toEqual([null, 6, null])
  })
})
