/** Time rules by the clock on the wall, in seven zones, on plain days and where clocks are changed. */
import { always, cases, never, passage, periods, rule, type Expected } from './passage.ts'
import type { TimeRule } from '../model.ts'

/** What the clocks are ahead of UTC in the first week of March 2026. */
const ZONES = [
  ['Asia/Shanghai', '+08:00'],
  ['Europe/Berlin', '+01:00'],
  ['America/New_York', '-05:00'],
  ['Australia/Lord_Howe', '+11:00'],
  ['Pacific/Apia', '+13:00'],
  ['Asia/Kathmandu', '+05:45'],
  ['UTC', '+00:00'],
] as const

const FIRST = '00:00:00.000'
const LAST = '23:59:59.999'
/** At a door of a zone, by one rule; instants carry their offset. */
const at = (zone: string, instant: string, each: TimeRule) =>
  passage({ device: { zone }, moment: Date.parse(instant), strategies: [{ timeRuleIds: [each.id] }], rules: [each] })

const office = rule('office')
const monday = ['2026-03-02'] // a Monday
const night = rule('night', { periods: [...periods([1], '22:00-24:00'), ...periods([2], '00:00-06:00')] })
const lunch = rule('lunch', { periods: periods([1], '09:00-12:00', '13:00-18:00') })

const PLAIN: readonly (readonly [string, Expected, string, TimeRule])[] = [
  ['a millisecond before a period', 6, '2026-03-02T08:59:59.999', office],
  ['where it starts', 'allowed', '2026-03-02T09:00:00.000', office],
  ['its last millisecond', 'allowed', '2026-03-02T17:59:59.999', office],
  ['where it ends', 6, '2026-03-02T18:00:00.000', office],
  ['on Friday', 'allowed', '2026-03-06T12:00:00.000', office],
  ['on Saturday', 6, '2026-03-07T12:00:00.000', office],
  ['on Sunday', 6, '2026-03-01T12:00:00.000', office],
  ['between two periods', 6, '2026-03-02T12:00:00.000', lunch],
  ['in the second of two periods', 'allowed', '2026-03-02T13:00:00.000', lunch],
  ['in the last millisecond of a period to 24:00', 'allowed', `2026-03-02T${LAST}`, night],
  ['after midnight, in the period that goes on', 'allowed', `2026-03-03T${FIRST}`, night],
  ['after midnight, a day early', 6, `2026-03-02T${FIRST}`, night],
  ['as a forbidden date begins', 6, `2026-03-02T${FIRST}`, always({ forbiddenExceptionDates: monday })],
  ['as it ends', 6, `2026-03-02T${LAST}`, always({ forbiddenExceptionDates: monday })],
  ['just before a forbidden date', 'allowed', `2026-03-01T${LAST}`, always({ forbiddenExceptionDates: monday })],
  ['just after it', 'allowed', `2026-03-03T${FIRST}`, always({ forbiddenExceptionDates: monday })],
  ['as an allowed date begins', 'allowed', `2026-03-02T${FIRST}`, never({ allowedExceptionDates: monday })],
  ['as it ends', 'allowed', `2026-03-02T${LAST}`, never({ allowedExceptionDates: monday })],
  ['just before an allowed date', 6, `2026-03-01T${LAST}`, never({ allowedExceptionDates: monday })],
  ['just after it', 6, `2026-03-03T${FIRST}`, never({ allowedExceptionDates: monday })],
  [
    'on a date both allowed and forbidden',
    6,
    '2026-03-02T12:00:00.000',
    always({ allowedExceptionDates: monday, forbiddenExceptionDates: monday }),
  ],
  ['as the effective date begins', 'allowed', `2026-03-02T${FIRST}`, always({ effectiveDate: '2026-03-02' })],
  ['just before it', 6, `2026-03-01T${LAST}`, always({ effectiveDate: '2026-03-02' })],
  [
    'on an allowed date before the effective one',
    6,
    '2026-03-02T12:00:00.000',
    never({ allowedExceptionDates: monday, effectiveDate: '2026-03-03' }),
  ],
]

const day = (weekday: number, ...spans: string[]) => rule('day', { periods: periods([weekday], ...spans) })
const SUNDAY = 7

/** Berlin leaves out 02:00 to 03:00 on 2026-03-29 and repeats it on 2026-10-25. */
const CHANGES: readonly (readonly [string, Expected, string, string, TimeRule])[] = [
  ['before the skipped hour, in a period into it', 'allowed', 'Europe/Berlin', '2026-03-29T01:59:59.999+01:00', day(SUNDAY, '01:30-02:30')],
  ['after the skipped hour, past a period into it', 6, 'Europe/Berlin', '2026-03-29T03:00+02:00', day(SUNDAY, '01:30-02:30')],
  ['before the skipped hour, of a period within it', 6, 'Europe/Berlin', '2026-03-29T01:59:59.999+01:00', day(SUNDAY, '02:00-03:00')],
  ['after the skipped hour, of a period within it', 6, 'Europe/Berlin', '2026-03-29T03:00+02:00', day(SUNDAY, '02:00-03:00')],
  ['after the skipped hour, in a period out of it', 'allowed', 'Europe/Berlin', '2026-03-29T03:00+02:00', day(SUNDAY, '02:30-03:30')],
  ['and its end', 6, 'Europe/Berlin', '2026-03-29T03:30+02:00', day(SUNDAY, '02:30-03:30')],
  ['before the skipped hour, all day', 'allowed', 'Europe/Berlin', '2026-03-29T01:59:59.999+01:00', always()],
  ['after the skipped hour, all day', 'allowed', 'Europe/Berlin', '2026-03-29T03:00+02:00', always()],
  ['the last millisecond of a day of 23 hours', 'allowed', 'Europe/Berlin', '2026-03-29T23:59:59.999+02:00', day(SUNDAY, '00:00-24:00')],
  ['the first of the day after', 6, 'Europe/Berlin', '2026-03-30T00:00+02:00', day(SUNDAY, '00:00-24:00')],
  ['before the repeated hour', 6, 'Europe/Berlin', '2026-10-25T01:59:59.999+02:00', day(SUNDAY, '02:00-02:30')],
  ['in the repeated hour, first time', 'allowed', 'Europe/Berlin', '2026-10-25T02:15+02:00', day(SUNDAY, '02:00-02:30')],
  ['between both', 6, 'Europe/Berlin', '2026-10-25T02:30+02:00', day(SUNDAY, '02:00-02:30')],
  ['in the repeated hour, second time', 'allowed', 'Europe/Berlin', '2026-10-25T02:15+01:00', day(SUNDAY, '02:00-02:30')],
  ['after it', 6, 'Europe/Berlin', '2026-10-25T02:30+01:00', day(SUNDAY, '02:00-02:30')],
  [
    'in a period that ends in the repeated hour, second time',
    'allowed',
    'Europe/Berlin',
    '2026-10-25T02:15+01:00',
    day(SUNDAY, '01:00-02:30'),
  ],
  ['the last millisecond of a day of 25 hours', 'allowed', 'Europe/Berlin', '2026-10-25T23:59:59.999+01:00', day(SUNDAY, '00:00-24:00')],
  [
    'a forbidden day of 25 hours to its end',
    6,
    'Europe/Berlin',
    '2026-10-25T23:59:59.999+01:00',
    always({ forbiddenExceptionDates: ['2026-10-25'] }),
  ],
  ['office hours the day clocks went forward', 'allowed', 'Europe/Berlin', '2026-03-30T09:00+02:00', office],
  ['and an hour earlier', 6, 'Europe/Berlin', '2026-03-30T08:59:59.999+02:00', office],
  ['office hours once they went back', 'allowed', 'Europe/Berlin', '2026-10-26T17:59:59.999+01:00', office],
  ['and their end', 6, 'Europe/Berlin', '2026-10-26T18:00+01:00', office],
  ['New York before the skipped hour', 'allowed', 'America/New_York', '2026-03-08T01:59:59.999-05:00', day(SUNDAY, '01:00-02:00')],
  ['New York after it', 6, 'America/New_York', '2026-03-08T03:00-04:00', day(SUNDAY, '01:00-03:00')],
  ['New York, the repeated hour, first time', 'allowed', 'America/New_York', '2026-11-01T01:30-04:00', day(SUNDAY, '01:30-02:00')],
  ['New York, between both', 6, 'America/New_York', '2026-11-01T01:00-05:00', day(SUNDAY, '01:30-02:00')],
  ['New York, the repeated hour, second time', 'allowed', 'America/New_York', '2026-11-01T01:30-05:00', day(SUNDAY, '01:30-02:00')],
  ['New York, after it', 6, 'America/New_York', '2026-11-01T02:00-05:00', day(SUNDAY, '01:30-02:00')],
  ['Lord Howe before the skipped half hour', 'allowed', 'Australia/Lord_Howe', '2026-10-04T01:59:59.999+10:30', day(SUNDAY, '01:30-02:30')],
  ['Lord Howe after it', 6, 'Australia/Lord_Howe', '2026-10-04T02:30+11:00', day(SUNDAY, '01:30-02:30')],
  ['Lord Howe, a period within the skipped half hour', 6, 'Australia/Lord_Howe', '2026-10-04T02:30+11:00', day(SUNDAY, '02:00-02:30')],
  ['Lord Howe, the repeated half hour, first time', 'allowed', 'Australia/Lord_Howe', '2026-04-05T01:45+11:00', day(SUNDAY, '01:45-02:00')],
  ['Lord Howe, between both', 6, 'Australia/Lord_Howe', '2026-04-05T01:30+10:30', day(SUNDAY, '01:45-02:00')],
  [
    'Lord Howe, the repeated half hour, second time',
    'allowed',
    'Australia/Lord_Howe',
    '2026-04-05T01:45+10:30',
    day(SUNDAY, '01:45-02:00'),
  ],
  ['Apia, the last Thursday before the date left out', 6, 'Pacific/Apia', '2011-12-29T23:59:59.999-10:00', day(5, '00:00-24:00')],
  ['Apia, the Saturday that followed it', 6, 'Pacific/Apia', '2011-12-31T00:00+14:00', day(5, '00:00-24:00')],
  ['Apia, in a rule of Saturdays', 'allowed', 'Pacific/Apia', '2011-12-31T00:00+14:00', day(6, '00:00-24:00')],
  [
    'Apia, after a forbidden date that never was',
    'allowed',
    'Pacific/Apia',
    '2011-12-31T00:00+14:00',
    always({ forbiddenExceptionDates: ['2011-12-30'] }),
  ],
  [
    'Apia, a rule effective from the date that never was',
    'allowed',
    'Pacific/Apia',
    '2011-12-31T00:00+14:00',
    always({ effectiveDate: '2011-12-30' }),
  ],
]

/** The same instant is another time of another date elsewhere: Monday 02:00 UTC. */
const ELSEWHERE: readonly (readonly [string, Expected])[] = [
  ['Asia/Shanghai', 'allowed'], // 10:00
  ['Australia/Lord_Howe', 'allowed'], // 13:00
  ['Pacific/Apia', 'allowed'], // 15:00
  ['Asia/Kathmandu', 6], // 07:45
  ['Europe/Berlin', 6], // 03:00
  ['UTC', 6], // 02:00
  ['America/New_York', 6], // Sunday 21:00
]

const broken = (start: string, end: string) => rule('broken', { periods: [{ weekday: 1, start, end }] })

export const timeCases = cases([
  ...ZONES.flatMap(([zone, offset]) =>
    PLAIN.map(
      ([name, expected, local, each], place) => [`${zone} ${place + 1}: ${name}`, expected, at(zone, local + offset, each)] as const,
    ),
  ),
  ...CHANGES.map(([name, expected, zone, instant, each]) => [`${zone} ${instant}: ${name}`, expected, at(zone, instant, each)] as const),
  ...ELSEWHERE.map(([zone, expected]) => [`02:00 UTC in ${zone}`, expected, at(zone, '2026-03-02T02:00Z', office)] as const),
  ['a period that ends before it starts', 6, at('UTC', '2026-03-02T12:00Z', broken('18:00', '09:00'))],
  ['a period without length', 6, at('UTC', '2026-03-02T09:00Z', broken('09:00', '09:00'))],
  ['a period half filled', 6, at('UTC', '2026-03-02T12:00Z', broken('09:00', ''))],
  ['a period beyond the day', 6, at('UTC', '2026-03-02T12:00Z', broken('09:00', '24:30'))],
  ['no period at all', 6, at('UTC', '2026-03-02T12:00Z', never())],
  ['an effective date that is empty', 'allowed', at('UTC', '2026-03-02T12:00Z', always({ effectiveDate: '' }))],
])
