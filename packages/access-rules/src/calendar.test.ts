import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CalendarUnreadable, readCalendar } from './calendar.ts'
import { recurrenceDays, recurrenceOf } from './calendar-rule.ts'

const calendar = (...events: string[][]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR'].join('\r\n')
const datesOf = (text: string, from = '2026-01-01', zone = 'Asia/Shanghai') =>
  readCalendar(text, { zone, from }).days.map(({ date }) => date)
const endless = { spend: () => {} }

/** Nine o'clock in New York, at which the examples begin, is no earlier by UTC. */
const NINE = 13 * 3_600_000

/** Days of a rule as the examples of RFC 5545 have them, section 3.8.5.3. */
function repeated(start: string, rule: string, most = 60): string[] {
  const parsed = recurrenceOf(rule)
  if (parsed === null) return ['unread']
  const first = Date.parse(start) / 86_400_000
  const until = parsed.until === null ? first + 5000 : Math.floor((parsed.until.clock - NINE) / 86_400_000)
  const days: string[] = []
  for (const day of recurrenceDays(parsed, first, { from: first, to: until }, endless)) {
    days.push(new Date(day * 86_400_000).toISOString().slice(0, 10))
    if (days.length === most) break
  }
  return days
}
/** `1997-09 2,4; 1997-10 1` */
const days = (text: string): string[] =>
  text.split('; ').flatMap((part) => {
    const [month = '', numbers = ''] = part.split(' ')
    return numbers.split(',').map((number) => `${month}-${number.padStart(2, '0')}`)
  })

describe('what repeats, by the examples of RFC 5545', () => {
  test.each([
    ['daily for 10 occurrences', '1997-09-02', 'FREQ=DAILY;COUNT=10', '1997-09 2,3,4,5,6,7,8,9,10,11'],
    ['every 10 days, 5 occurrences', '1997-09-02', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-09 2,12,22; 1997-10 2,12'],
    ['weekly for 10 occurrences', '1997-09-02', 'FREQ=WEEKLY;COUNT=10', '1997-09 2,9,16,23,30; 1997-10 7,14,21,28; 1997-11 4'],
    [
      'weekly on Tuesday and Thursday for five weeks',
      '1997-09-02',
      'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
      '1997-09 2,4,9,11,16,18,23,25,30; 1997-10 2',
    ],
    [
      'every other week on Monday, Wednesday and Friday until December 24, 1997',
      '1997-09-01',
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
      '1997-09 1,3,5,15,17,19,29; 1997-10 1,3,13,15,17,27,29,31; 1997-11 10,12,14,24,26,28; 1997-12 8,10,12,22',
    ],
    [
      'every other week on Tuesday and Thursday, for 8 occurrences',
      '1997-09-02',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
      '1997-09 2,4,16,18,30; 1997-10 2,14,16',
    ],
    [
      'monthly on the first Friday for 10 occurrences',
      '1997-09-05',
      'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
      '1997-09 5; 1997-10 3; 1997-11 7; 1997-12 5; 1998-01 2; 1998-02 6; 1998-03 6; 1998-04 3; 1998-05 1; 1998-06 5',
    ],
    [
      'every other month on the first and last Sunday',
      '1997-09-07',
      'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
      '1997-09 7,28; 1997-11 2,30; 1998-01 4,25; 1998-03 1,29; 1998-05 3,31',
    ],
    [
      'monthly on the second-to-last Monday',
      '1997-09-22',
      'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
      '1997-09 22; 1997-10 20; 1997-11 17; 1997-12 22; 1998-01 19; 1998-02 16',
    ],
    [
      'monthly on the third-to-last day',
      '1997-09-28',
      'FREQ=MONTHLY;COUNT=6;BYMONTHDAY=-3',
      '1997-09 28; 1997-10 29; 1997-11 28; 1997-12 29; 1998-01 29; 1998-02 26',
    ],
    [
      'monthly on the 2nd and 15th',
      '1997-09-02',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
      '1997-09 2,15; 1997-10 2,15; 1997-11 2,15; 1997-12 2,15; 1998-01 2,15',
    ],
    [
      'monthly on the first and last day',
      '1997-09-30',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
      '1997-09 30; 1997-10 1,31; 1997-11 1,30; 1997-12 1,31; 1998-01 1,31; 1998-02 1',
    ],
    [
      'every 18 months on the 10th through 15th',
      '1997-09-10',
      'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
      '1997-09 10,11,12,13,14,15; 1999-03 10,11,12,13',
    ],
    [
      'yearly in June and July',
      '1997-06-10',
      'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
      '1997-06 10; 1997-07 10; 1998-06 10; 1998-07 10; 1999-06 10; 1999-07 10; 2000-06 10; 2000-07 10; 2001-06 10; 2001-07 10',
    ],
    [
      'every other year in January, February and March',
      '1997-03-10',
      'FREQ=YEARLY;INTERVAL=2;COUNT=5;BYMONTH=1,2,3',
      '1997-03 10; 1999-01 10; 1999-02 10; 1999-03 10; 2001-01 10',
    ],
    ['every 20th Monday of the year', '1997-05-19', 'FREQ=YEARLY;COUNT=3;BYDAY=20MO', '1997-05 19; 1998-05 18; 1999-05 17'],
    [
      'every Thursday in March',
      '1997-03-13',
      'FREQ=YEARLY;COUNT=11;BYMONTH=3;BYDAY=TH',
      '1997-03 13,20,27; 1998-03 5,12,19,26; 1999-03 4,11,18,25',
    ],
    [
      'the first Saturday that follows the first Sunday of the month',
      '1997-09-13',
      'FREQ=MONTHLY;COUNT=10;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      '1997-09 13; 1997-10 11; 1997-11 8; 1997-12 13; 1998-01 10; 1998-02 7; 1998-03 7; 1998-04 11; 1998-05 9; 1998-06 13',
    ],
    [
      'every 4 years, the first Tuesday after a Monday in November',
      '1996-11-05',
      'FREQ=YEARLY;INTERVAL=4;COUNT=3;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      '1996-11 5; 2000-11 7; 2004-11 2',
    ],
    ['by weeks that begin on Monday', '1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08 5,10,19,24'],
    ['by weeks that begin on Sunday', '1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08 5,17,19,31'],
    [
      'on a 30th that February does not have',
      '2007-01-15',
      'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
      '2007-01 15,30; 2007-02 15; 2007-03 15,30',
    ],
  ])('%s', (_, start, rule, expected) => {
    expect(repeated(start, rule)).toEqual(days(expected))
  })

  test('every day in January, for 3 years: by year and by day', () => {
    const yearly = repeated('1998-01-01', 'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA', 200)
    expect(yearly).toHaveLength(93)
    expect(repeated('1998-01-01', 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1', 200)).toEqual(yearly)
  })

  test('29 February comes when there is one', () => {
    expect(repeated('2024-02-29', 'FREQ=YEARLY;COUNT=3')).toEqual(['2024-02-29', '2028-02-29', '2032-02-29'])
  })

  test('a rule that cannot be told by days is told as such, whatever it is', () => {
    for (const rule of [
      'FREQ=HOURLY',
      'FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO',
      'FREQ=YEARLY;BYWEEKNO=20',
      'FREQ=YEARLY;BYYEARDAY=1',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;COUNT=-1',
      'FREQ=WEEKLY;BYDAY=1MO',
      'FREQ=WEEKLY;BYDAY=XX',
      'FREQ=DAILY;FREQ=WEEKLY',
      'FREQ=DAILY;UNTIL=soon',
      'FREQ=MONTHLY;BYMONTHDAY=0',
      'COUNT=2',
      '',
    ])
      expect(recurrenceOf(rule), rule).toBeNull()
  })
})

describe('a calendar of holidays', () => {
  test('names whole days, several of them one by one, the last of DTEND not among them', () => {
    const text = calendar(
      ['DTSTART;VALUE=DATE:20260217', 'DTEND;VALUE=DATE:20260220', 'SUMMARY:春节'],
      ['DTSTART;VALUE=DATE:20260501', 'SUMMARY:Labour Day'],
      ['DTSTART;VALUE=DATE:20261001', 'DURATION:P2D', 'SUMMARY:National Day\\, holiday'],
    )
    expect(readCalendar(text, { zone: 'Asia/Shanghai', from: '2026-01-01' })).toEqual({
      days: [
        { date: '2026-02-17', summaries: ['春节'] },
        { date: '2026-02-18', summaries: ['春节'] },
        { date: '2026-02-19', summaries: ['春节'] },
        { date: '2026-05-01', summaries: ['Labour Day'] },
        { date: '2026-10-01', summaries: ['National Day, holiday'] },
        { date: '2026-10-02', summaries: ['National Day, holiday'] },
      ],
      total: 6,
      unread: [],
    })
  })

  test('leaves out what is over, and a day named twice is one with both names', () => {
    const text = calendar(
      ['DTSTART;VALUE=DATE:20251225', 'DTEND;VALUE=DATE:20260102', 'SUMMARY:Christmas break'],
      ['DTSTART;VALUE=DATE:20260101', 'SUMMARY:New Year'],
      ['DTSTART;VALUE=DATE:20260101', 'SUMMARY:New Year'],
    )
    expect(readCalendar(text, { zone: 'UTC', from: '2026-01-01' }).days).toEqual([
      { date: '2026-01-01', summaries: ['Christmas break', 'New Year'] },
    ])
  })

  test('has its lines folded, in either way of ending them, with a mark at the beginning and what belongs to alarms passed over', () => {
    const folded = [
      '\uFEFFBEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'DTSTART;VALUE=DATE:202605',
      ' 01',
      'SUMMARY:A name that',
      '  goes on',
      'BEGIN:VALARM',
      'DURATION:P9D',
      'DTSTART:20300101',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]
    for (const end of ['\r\n', '\n'])
      expect(readCalendar(folded.join(end), { zone: 'UTC', from: '2026-01-01' }).days).toEqual([
        { date: '2026-05-01', summaries: ['A name that goes on'] },
      ])
  })

  test('repeats three years ahead, however long ago it began; single days count for ten', () => {
    const text = calendar(
      ['DTSTART;VALUE=DATE:19900704', 'RRULE:FREQ=YEARLY', 'SUMMARY:Every year'],
      ['DTSTART;VALUE=DATE:20350101'],
      ['DTSTART;VALUE=DATE:20370101'],
    )
    expect(datesOf(text)).toEqual(['2026-07-04', '2027-07-04', '2028-07-04', '2035-01-01'])
  })

  test('counts from the first one on, also what is over', () => {
    expect(datesOf(calendar(['DTSTART;VALUE=DATE:20240101', 'RRULE:FREQ=YEARLY;COUNT=3']))).toEqual(['2026-01-01'])
    expect(datesOf(calendar(['DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=YEARLY;COUNT=3']))).toEqual([])
  })

  test('loses what is taken out and gains what is added', () => {
    const lines = [
      'DTSTART;VALUE=DATE:20260105',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'EXDATE;VALUE=DATE:20260112,20260119',
      'RDATE;VALUE=DATE:20260301',
    ]
    expect(datesOf(calendar(lines))).toEqual(['2026-01-05', '2026-01-26', '2026-03-01'])
  })

  test('has an occurrence where another event puts it, and none where it is cancelled', () => {
    const series = ['UID:a', 'DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=WEEKLY;COUNT=3']
    const moved = ['UID:a', 'RECURRENCE-ID;VALUE=DATE:20260112', 'DTSTART;VALUE=DATE:20260114']
    expect(datesOf(calendar(series, moved))).toEqual(['2026-01-05', '2026-01-14', '2026-01-19'])
    expect(datesOf(calendar(series, [...moved, 'STATUS:CANCELLED']))).toEqual(['2026-01-05', '2026-01-19'])
    expect(datesOf(calendar([...series, 'STATUS:CANCELLED']))).toEqual([])
  })

  test('names the events whose days it cannot tell, and takes the others', () => {
    const text = calendar(
      ['DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1', 'SUMMARY:Board'],
      ['SUMMARY:No date'],
      ['DTSTART:20261399', 'SUMMARY:Bad date'],
      ['DTSTART;VALUE=DATE:20260501'],
    )
    expect(readCalendar(text, { zone: 'UTC', from: '2026-01-01' })).toEqual({
      days: [{ date: '2026-05-01', summaries: [] }],
      total: 1,
      unread: ['No date', 'Bad date', 'Board'],
    })
  })
})

describe('events with a time', () => {
  test('count on the days they touch where they are read; one that ends at midnight not on the next', () => {
    expect(datesOf(calendar(['DTSTART:20260301T090000', 'DTEND:20260301T180000']))).toEqual(['2026-03-01'])
    expect(datesOf(calendar(['DTSTART:20260301T220000', 'DTEND:20260302T000000']))).toEqual(['2026-03-01'])
    expect(datesOf(calendar(['DTSTART:20260301T220000', 'DTEND:20260302T010000']))).toEqual(['2026-03-01', '2026-03-02'])
    expect(datesOf(calendar(['DTSTART:20260301T220000', 'DURATION:PT26H']))).toEqual(['2026-03-01', '2026-03-02'])
    expect(datesOf(calendar(['DTSTART:20260301T220000']))).toEqual(['2026-03-01'])
  })

  test('are turned from UTC and from their own zone into days here', () => {
    const evening = calendar(['DTSTART:20260301T180000Z', 'DTEND:20260301T190000Z'])
    expect([datesOf(evening, '2026-01-01', 'Asia/Shanghai'), datesOf(evening, '2026-01-01', 'Europe/London')]).toEqual([
      ['2026-03-02'],
      ['2026-03-01'],
    ])
    const newYork = calendar(['DTSTART;TZID=America/New_York:20260301T200000', 'DTEND;TZID=America/New_York:20260301T210000'])
    expect(datesOf(newYork)).toEqual(['2026-03-02'])
    expect(datesOf(calendar(['DTSTART;TZID="Nobody/Knows: it":20260301T200000']))).toEqual(['2026-03-01'])
  })

  test('repeat by their own clock, whatever it is put to, and end with the moment they end at', () => {
    const lines = ['DTSTART;TZID=America/New_York:20260305T230000', 'RRULE:FREQ=DAILY;UNTIL=20260310T030000Z']
    // 23:00 in New York is the next day in London; clocks are put forward there on the 8th.
    expect(datesOf(calendar(lines), '2026-01-01', 'Europe/London')).toEqual([
      '2026-03-06',
      '2026-03-07',
      '2026-03-08',
      '2026-03-09',
      '2026-03-10',
    ])
    expect(datesOf(calendar([...lines, 'EXDATE:20260307T040000Z']), '2026-01-01', 'Europe/London')).toEqual([
      '2026-03-06',
      '2026-03-08',
      '2026-03-09',
      '2026-03-10',
    ])
  })

  test('every Friday the 13th, as RFC 5545 writes it', () => {
    const text = calendar([
      'DTSTART;TZID=America/New_York:19970902T090000',
      'EXDATE;TZID=America/New_York:19970902T090000',
      'RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    ])
    expect(datesOf(text, '1997-09-01', 'America/New_York')).toEqual(['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13'])
  })
})

describe('a file', () => {
  const refusal = (text: string): string => {
    try {
      readCalendar(text, { zone: 'UTC', from: '2026-01-01' })
      return 'read'
    } catch (error) {
      if (error instanceof CalendarUnreadable) return error.rule
      throw error
    }
  }

  test('that is no calendar, or has no event, is refused as such', () => {
    expect(['', 'x', 'BEGIN:VEVENT\nDTSTART:20260101\nEND:VEVENT', '\u0089PNG'].map(refusal)).toEqual(Array(4).fill('calendarUnreadable'))
    expect(refusal(calendar())).toBe('calendarEmpty')
  })

  test('says how many days there are beyond a thousand', () => {
    const { days: dates, total } = readCalendar(calendar(['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:20300101']), {
      zone: 'UTC',
      from: '2026-01-01',
    })
    expect([dates.length, total, dates.at(-1)!.date]).toEqual([1000, 1461, '2028-09-26'])
  })

  test('that would take for ever is refused instead', () => {
    const long = ['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:99991231']
    expect(refusal(calendar(...Array.from({ length: 100 }, () => long)))).toBe('calendarTooMuch')
    const daily = ['DTSTART;TZID=America/New_York:19000101T090000', 'RRULE:FREQ=DAILY;COUNT=999999999']
    expect(refusal(calendar(...Array.from({ length: 20 }, () => daily)))).toBe('calendarTooMuch')
    expect(
      refusal(calendar(...Array.from({ length: 1000 }, () => ['DTSTART;TZID=America/New_York:20260101T090000', 'RRULE:FREQ=DAILY']))),
    ).toBe('calendarTooMuch')
    expect(refusal(`BEGIN:VCALENDAR\n${'BEGIN:X\n'.repeat(50_000)}${'END:Y\n'.repeat(50_000)}`)).toBe('calendarEmpty')
  })

  test('of whatever it is made throws nothing but its own refusal, and answers dates in order within its window', () => {
    const value = fc.oneof(
      fc.constantFrom(
        '20260101',
        '20260229',
        '20261231T235959Z',
        '99991231',
        '00000101',
        '20260101T250000',
        'P1D',
        '-P1D',
        'P999999W',
        'PT1S',
        'VEVENT',
        'VCALENDAR',
        'VALARM',
        'CANCELLED',
      ),
      fc.string({ maxLength: 12 }),
      fc
        .array(
          fc.constantFrom(
            'FREQ=DAILY',
            'FREQ=WEEKLY',
            'FREQ=MONTHLY',
            'FREQ=YEARLY',
            'INTERVAL=2',
            'INTERVAL=1000000',
            'COUNT=3',
            'COUNT=999999999',
            'UNTIL=20270101',
            'UNTIL=99991231T235959Z',
            'BYDAY=MO,-1FR',
            'BYDAY=53MO',
            'BYMONTH=2',
            'BYMONTHDAY=31',
            'BYMONTHDAY=-31',
            'WKST=SU',
          ),
          { maxLength: 5 },
        )
        .map((parts) => parts.join(';')),
    )
    const name = fc.constantFrom(
      'DTSTART',
      'DTSTART;VALUE=DATE',
      'DTSTART;TZID=America/New_York',
      'DTSTART;TZID=Nowhere',
      'DTEND',
      'DURATION',
      'RRULE',
      'EXDATE',
      'RDATE',
      'RECURRENCE-ID',
      'UID',
      'STATUS',
      'SUMMARY',
      'BEGIN',
      'END',
      ' ',
      '"',
    )
    const line = fc.tuple(name, value).map(([one, text]) => `${one}:${text}`)
    const first = fc.constantFrom('DTSTART;VALUE=DATE:20260101', 'DTSTART;TZID=America/New_York:20260102T230000', 'SUMMARY:x')
    const event = fc.tuple(first, fc.array(line, { maxLength: 8 })).map(([one, rest]) => [one, ...rest])
    const file = fc.array(event, { maxLength: 5 }).map((events) => calendar(...events))
    let read = 0
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: file }, { weight: 1, arbitrary: fc.string() }),
        fc.constantFrom('Asia/Shanghai', 'America/Los_Angeles', 'UTC'),
        (text, zone) => {
          try {
            const { days: found, total } = readCalendar(text, { zone, from: '2026-01-01' })
            const dates = found.map(({ date }) => date)
            expect(dates).toEqual([...new Set(dates)].toSorted())
            expect(dates.every((date) => date >= '2026-01-01' && date <= '2036-01-02')).toBe(true)
            expect(total).toBeGreaterThanOrEqual(dates.length)
            read += Number(dates.length > 0)
          } catch (error) {
            expect(error).toBeInstanceOf(CalendarUnreadable)
          }
        },
      ),
      { numRuns: 800 },
    )
    expect(read).toBeGreaterThan(100)
  })
})
