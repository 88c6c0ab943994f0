/** What a calendar costs at the most: files made to take long are read within the budget, and the budget is the truth. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksEntered } from '../../../tests/support/blocks-entered.ts'
import { CALENDAR_STEPS, CalendarUnreadable, createBudget } from './calendar-budget.ts'
import { readCalendar } from './calendar.ts'

const calendar = (...events: string[][]): string =>
  ['BEGIN:VCALENDAR', ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR'].join('\r\n')
const times = <Value>(count: number, make: (place: number) => Value): Value[] => Array.from({ length: count }, (_, place) => make(place))
const list = (count: number, make: (place: number) => string | number): string => times(count, make).join(',')

/** Steps a file takes, and what it is refused with. */
function looked(text: string, zone = 'Asia/Shanghai') {
  const budget = createBudget()
  try {
    readCalendar(text, { zone, from: '2026-01-01', budget })
    return { steps: budget.spent, rule: null }
  } catch (error) {
    if (error instanceof CalendarUnreadable) return { steps: budget.spent, rule: error.rule }
    throw error
  }
}

/** Of a generated file, about: a fifth of what may be sent. */
const CHARACTERS = 200_000

describe('the steps of a calendar', () => {
  test('lists of 400 that say the same are lists of one', () => {
    const [months, days, weekdays] = [list(400, () => 1), list(400, () => 31), list(400, () => 'MO')]
    const rule = `RRULE:FREQ=YEARLY;COUNT=900000;BYMONTH=${months};BYMONTHDAY=${days};BYDAY=${weekdays}`
    for (const start of ['DTSTART;VALUE=DATE:20190101', 'DTSTART;VALUE=DATE:19700101', 'DTSTART;VALUE=DATE:19000101'])
      expect(looked(calendar([start, rule]))).toEqual({ steps: expect.toSatisfy((steps: number) => steps < 5000), rule: null })
  })

  test('what is looked at counts, also where nothing comes of it', () => {
    // February has no 30th: every day since 1970 is looked at, and none is found.
    const rule = `RRULE:FREQ=DAILY;COUNT=900000;BYMONTH=2;BYMONTHDAY=30,31;BYDAY=MO,TU,WE,TH,FR,SA,SU`
    const { steps } = looked(calendar(['DTSTART;VALUE=DATE:19700101', rule]))
    expect(steps).toBeGreaterThan((2026 - 1970) * 365)
    const many = looked(calendar(...times(300, () => ['DTSTART;VALUE=DATE:19700101', rule])))
    expect(many).toEqual({ steps: expect.toSatisfy((one: number) => one <= CALENDAR_STEPS), rule: 'calendarTooMuch' })
  })

  test('end where dates do', () => {
    const rules = ['YEARLY;BYDAY=MO', 'YEARLY;BYMONTHDAY=-1', 'MONTHLY;BYDAY=MO,TU', 'WEEKLY;BYDAY=MO', 'DAILY']
    for (const rule of rules)
      expect(looked(calendar(['DTSTART;VALUE=DATE:20251201', `RRULE:FREQ=${rule};INTERVAL=1000000;COUNT=9`]))).toEqual({
        steps: expect.toSatisfy((steps: number) => steps < 1000),
        rule: null,
      })
  })

  test('are within the budget whatever a file is made of', () => {
    const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
    const hours = times(24, (hour) => `20260101T${String(hour).padStart(2, '0')}0000`)
    /** A line that goes on and on, as little as says how. */
    const line = (head: string, counts: number[], ...cycle: string[]) => fc.constantFrom(...counts).map((count) => ({ head, count, cycle }))
    const lists = [1, 12, 62, 400]
    const floods = [1, 10, 10_000]
    const part = fc.oneof(
      line('BYMONTH=', lists, '1'),
      line('BYMONTH=', lists, ...times(12, (month) => String(month + 1))),
      line('BYMONTHDAY=', lists, '31'),
      line('BYMONTHDAY=', lists, ...times(31, (day) => String(day + 1)), ...times(31, (day) => String(-1 - day))),
      line('BYDAY=', lists, ...weekdays),
      line('BYDAY=', lists, ...times(53, (week) => `${week + 1}MO`)),
      line('BYDAY=', lists, ...times(5, (week) => `-${week + 1}FR`)),
      ...['COUNT=900000', 'COUNT=999999999', 'UNTIL=99991231', 'INTERVAL=1000000', 'WKST=SU', 'BYSETPOS=-1'].map((text) =>
        line(text, [1], ''),
      ),
    )
    const event = fc.record({
      start: fc.constantFrom(
        'DTSTART;VALUE=DATE:16010101',
        'DTSTART;VALUE=DATE:19000101',
        'DTSTART;VALUE=DATE:19700101',
        'DTSTART;TZID=America/New_York:19700101T230000',
        'DTSTART:20190101T000000Z',
        'DTSTART;VALUE=DATE:20260101',
      ),
      frequency: fc.constantFrom('', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      parts: fc.uniqueArray(part, { maxLength: 4, selector: ({ head }) => head.split('=')[0] }),
      lines: fc.array(
        fc.oneof(
          line('EXDATE;VALUE=DATE:', floods, '20260101'),
          line('EXDATE;TZID=Europe/London:', floods, ...hours),
          line('RDATE;VALUE=DATE:', floods, '20260101', '20270202', '20280303'),
          line('RDATE;TZID=Nowhere:', floods, ...hours),
          line('SUMMARY:', floods, 'folded\r\n '),
          line('X-LONG;A="', floods, ';:'),
          ...['DTEND;VALUE=DATE:99991231', 'DTEND;TZID=Asia/Tokyo:20991231T000000', 'DURATION:P999999W', 'STATUS:CANCELLED'].map((text) =>
            line(text, [1], ''),
          ),
          line('RECURRENCE-ID;VALUE=DATE:20260101', [1], ''),
        ),
        { maxLength: 4 },
      ),
    })
    const textOf = ({ head, count, cycle }: { head: string; count: number; cycle: string[] }) =>
      head + list(count, (place) => cycle[place % cycle.length]!)
    let refused = 0
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 2, 50, 1000),
        fc.constantFrom('Asia/Shanghai', 'America/Los_Angeles', 'UTC'),
        (events, copies, zone) => {
          const texts = events.map(({ start, frequency, parts, lines }) => [
            'UID:1',
            start,
            ...(frequency === '' ? [] : [`RRULE:${[`FREQ=${frequency}`, ...parts.map(textOf)].join(';')}`]),
            ...lines.map(textOf),
          ])
          const most = Math.ceil((CHARACTERS * texts.length) / calendar(...texts).length)
          const { steps, rule } = looked(calendar(...times(Math.min(copies, most), (place) => texts[place % texts.length]!)), zone)
          expect(steps).toBeLessThanOrEqual(CALENDAR_STEPS)
          refused += Number(rule === 'calendarTooMuch')
        },
      ),
      { numRuns: 50 },
    )
    expect(refused).toBeGreaterThan(0)
  })

  test('are what it really does: no code of it is entered much more often than it says', { tags: 'extended' }, async () => {
    const yearly =
      `RRULE:FREQ=YEARLY;COUNT=900000;BYMONTH=${list(12, (place) => place + 1)}` +
      `;BYMONTHDAY=${list(62, (place) => (place % 31) + 1)};BYDAY=MO,TU`
    const files = {
      'lists that say the same': calendar([
        'DTSTART;VALUE=DATE:20190101',
        `RRULE:FREQ=YEARLY;COUNT=900000;BYMONTH=${list(400, () => 1)};BYMONTHDAY=${list(400, () => 31)};BYDAY=${list(400, () => 'MO')}`,
      ]),
      'long lists': calendar(['DTSTART;VALUE=DATE:19700101', yearly]),
      'weekdays by number': calendar([
        'DTSTART;VALUE=DATE:19700101',
        `RRULE:FREQ=YEARLY;COUNT=900000;BYDAY=${list(106, (place) => `${place < 53 ? place + 1 : 52 - place}MO`)}`,
      ]),
      'days one by one': calendar(['DTSTART;VALUE=DATE:19700101', 'RRULE:FREQ=DAILY;COUNT=900000;BYMONTHDAY=31;BYMONTH=2']),
      'dates left out': calendar(['DTSTART;VALUE=DATE:20260101', `EXDATE;VALUE=DATE:${list(20_000, () => '20260102')}`]),
      'zones nobody knows': calendar(...times(500, (place) => [`DTSTART;TZID=Nowhere/N${place}:20260101T000000`])),
      'one replaced by many': calendar(
        ['UID:1', 'DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY'],
        ...times(500, () => ['UID:1', 'RECURRENCE-ID;VALUE=DATE:20260102', 'DTSTART;VALUE=DATE:20260103']),
      ),
    }
    for (const [name, text] of Object.entries(files)) {
      let steps = 0
      // Its lines are looked through character by character, everything else by steps.
      const entered = await blocksEntered(/access-rules\/src\/(calendar|local-time)/, () => {
        steps = looked(text).steps
      })
      expect(entered, name).toBeGreaterThan(100)
      expect(entered / (steps + text.length), name).toBeLessThan(5)
    }
  })
})
