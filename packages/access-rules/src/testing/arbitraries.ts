/** Generators of instants, zones and rules for the property tests; instants gather where clocks are changed. */
import * as fc from 'fast-check'
import type { TimeRule } from '../model.ts'

/** Zones whose clocks behave badly each in its own way: half-hour and two-hour changes, changes at midnight, a day left out. */
const ZONES = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Antarctica/Troll',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
]

const HOUR = 3_600_000
const instant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2037, 0, 1) })

/** A zone and an instant in it, every second time within 26 hours of a change of its clocks. */
export const zonedMoment = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    base: instant,
    nearChange: fc.boolean(),
    distance: fc.oneof(
      fc.integer({ min: -26 * HOUR, max: 26 * HOUR }),
      fc.constantFrom(-24, -2, -1, 0, 1, 2, 24).map((hours) => hours * HOUR),
      fc.constantFrom(-1, 0, 1),
    ),
  })
  .map(({ zone, base, nearChange, distance }) => {
    const change = nearChange
      ? Temporal.Instant.fromEpochMilliseconds(base).toZonedDateTimeISO(zone).getTimeZoneTransition('previous')
      : null
    return { zone, moment: change ? Math.max(change.epochMilliseconds + distance, Date.UTC(1980, 0, 1)) : base }
  })

const clockText = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const minute = fc.oneof(
  fc.integer({ min: 0, max: 1440 }),
  fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 15),
)

const period = fc
  .record({ weekday: fc.integer({ min: 1, max: 7 }), ends: fc.uniqueArray(minute, { minLength: 2, maxLength: 2 }) })
  .map(({ weekday, ends }) => ({ weekday, start: clockText(Math.min(...ends)), end: clockText(Math.max(...ends)) }))

/** Rules whose dates lie around an instant, so that they matter to it. */
export function ruleAround(moment: number): fc.Arbitrary<TimeRule> {
  const date = fc.integer({ min: -3, max: 4 }).map((days) => new Date(moment + days * 24 * HOUR).toISOString().slice(0, 10))
  return fc.record({
    id: fc.constant('rule'),
    periods: fc.array(period, { maxLength: 8 }),
    allowedExceptionDates: fc.array(date, { maxLength: 2 }),
    forbiddenExceptionDates: fc.array(date, { maxLength: 2 }),
    effectiveDate: fc.option(date, { freq: 3 }),
  })
}
