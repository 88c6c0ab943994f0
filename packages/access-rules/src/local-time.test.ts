import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfDay, isDate, localDate, localTime, minuteOfClockText, offsetMinutes, startOfDay } from './local-time.ts'
import { zonedMoment } from './testing/arbitraries.ts'

const at = (text: string) => Date.parse(text)
const zoned = (moment: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)

describe('local time', () => {
  test('agrees with Temporal everywhere, also around changed clocks', () => {
    fc.assert(
      fc.property(zonedMoment, ({ moment, zone }) => {
        const expected = zoned(moment, zone)
        expect(localTime(moment, zone)).toEqual({
          date: expected.toPlainDate().toString(),
          weekday: expected.dayOfWeek,
          minute: expected.hour * 60 + expected.minute,
        })
        expect(offsetMinutes(moment, zone)).toBe(expected.offsetNanoseconds / 60e9)
      }),
      { numRuns: 1500 },
    )
  })

  test('the date is that of the zone', () => {
    expect(localDate(at('2026-03-01T16:30:00Z'), 'Asia/Shanghai')).toBe('2026-03-02')
    expect(localDate(at('2026-03-01T16:30:00Z'), 'America/New_York')).toBe('2026-03-01')
  })

  test('offsets are minutes east of UTC', () => {
    expect(offsetMinutes(at('2026-01-01T00:00:00Z'), 'Asia/Shanghai')).toBe(480)
    expect(offsetMinutes(at('2026-01-01T00:00:00Z'), 'America/New_York')).toBe(-300)
    expect(offsetMinutes(at('2026-07-01T00:00:00Z'), 'America/New_York')).toBe(-240)
    expect(offsetMinutes(at('2026-01-01T00:00:00Z'), 'Asia/Kathmandu')).toBe(345)
  })

  test('instants before 1970 and with a fraction of a second keep their minute', () => {
    expect(localTime(-1, 'UTC')).toEqual({ date: '1969-12-31', weekday: 3, minute: 1439 })
    expect(offsetMinutes(-1, 'Asia/Kolkata')).toBe(330)
  })

  test('the last instant a date can have is told', () => {
    const last = 8_640_000_000_000_000
    expect([offsetMinutes(last, 'UTC'), offsetMinutes(last, 'America/New_York')]).toEqual([0, -240])
  })

  test('an offset remembered is forgotten where clocks change, within a quarter of an hour too', () => {
    // St John's changed its clocks a minute past midnight until 2011.
    const change = at('2010-03-14T03:31:00Z')
    const around = [-60_000, -1, 0, 1, 60_000, -1, 0].map((distance) => offsetMinutes(change + distance, 'America/St_Johns'))
    expect(around).toEqual([-210, -210, -150, -150, -150, -210, -150])
  })

  test('an unknown zone is refused', () => {
    expect(() => localTime(0, 'Moon/Sea')).toThrow(RangeError)
  })
})

describe('begin and end of a day', () => {
  test('agree with Temporal, also where midnight is skipped, repeated, or the whole date left out', () => {
    fc.assert(
      fc.property(zonedMoment, ({ moment, zone }) => {
        const day = zoned(moment, zone).toPlainDate()
        const last = day.toPlainDateTime('23:59:59.999').toZonedDateTime(zone, { disambiguation: 'later' })
        expect(endOfDay(day.toString(), zone)).toBe(last.epochMilliseconds)
        expect(startOfDay(day.toString(), zone)).toBe(day.toZonedDateTime(zone).epochMilliseconds)
      }),
      { numRuns: 1000 },
    )
  })

  test('a day of changed clocks has 23 or 25 hours', () => {
    const days = ['2026-03-28', '2026-03-29', '2026-10-25']
    const hours = days.map((date) => (endOfDay(date, 'Europe/Berlin') + 1 - startOfDay(date, 'Europe/Berlin')) / 3_600_000)
    expect(hours).toEqual([24, 23, 25])
  })

  test('the last millisecond belongs to the day, the next one does not', () => {
    const end = endOfDay('2026-12-31', 'Asia/Shanghai')
    expect(new Date(end).toISOString()).toBe('2026-12-31T15:59:59.999Z')
    expect([localDate(end, 'Asia/Shanghai'), localDate(end + 1, 'Asia/Shanghai')]).toEqual(['2026-12-31', '2027-01-01'])
  })

  test('what is no date is refused', () => {
    expect(() => endOfDay('2026-02-30', 'UTC')).toThrow(RangeError)
    expect(() => startOfDay('tomorrow', 'UTC')).toThrow(RangeError)
  })
})

describe('texts', () => {
  test.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['2026-01-01T00:00', false],
    [null, false],
  ])('%s is a date: %s', (text, expected) => {
    expect(isDate(text)).toBe(expected)
  })

  test.each([
    ['00:00', 0],
    ['09:05', 545],
    ['23:59', 1439],
    ['24:00', 1440],
    ['24:01', Number.NaN],
    ['25:00', Number.NaN],
    ['12:60', Number.NaN],
    ['9:00', Number.NaN],
    ['', Number.NaN],
    [undefined, Number.NaN],
  ])('%s is minute %s', (text, expected) => {
    expect(minuteOfClockText(text)).toBe(expected)
  })
})
