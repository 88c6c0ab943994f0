import { expect, test } from 'vitest'
import { NO_HOURS, newlyWithin, unionOfHours, wallHours, weekOf, weekPeriods } from './wall-hours.ts'
import type { Period } from './model.ts'

const NOW = { moment: Date.parse('2027-03-03T10:00:00Z'), today: '2027-03-03' }
const every = (start: string, end: string): Period[] => [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start, end }))
const rule = (periods: Period[], more: { allowed?: string[]; forbidden?: string[]; effectiveDate?: string } = {}) => ({
  periods,
  allowedExceptionDates: more.allowed ?? [],
  forbiddenExceptionDates: more.forbidden ?? [],
  effectiveDate: more.effectiveDate ?? null,
})
const hours = (...rules: ReturnType<typeof rule>[]) =>
  wallHours(
    { timeRuleIds: rules.map((_, place) => String(place)), validTo: null },
    new Map(rules.map((one, place) => [String(place), one])),
    NOW,
  )
const addedTo = (week: Period[], of: ReturnType<typeof hours>, before = NO_HOURS) => {
  const { week: found, dates } = newlyWithin(weekOf(week), before, of)
  return [...weekPeriods(found).map(({ weekday, start, end }) => `${weekday} ${start}-${end}`), ...dates]
}
const EVENING = every('20:00', '24:00')

test('hours of a week that fall into periods, to the minute', () => {
  expect(addedTo(EVENING, hours(rule([{ weekday: 1, start: '08:00', end: '20:00' }])))).toEqual([])
  expect(addedTo(EVENING, hours(rule([{ weekday: 1, start: '08:00', end: '20:01' }])))).toEqual(['1 20:00-20:01'])
  expect(addedTo(EVENING, hours(rule([{ weekday: 7, start: '00:00', end: '24:00' }])))).toEqual(['7 20:00-24:00'])
  expect(addedTo([{ weekday: 2, start: '06:00', end: '07:00' }], hours(rule([{ weekday: 1, start: '06:00', end: '07:00' }])))).toEqual([])
})

test('without periods all of the week is meant', () => {
  expect(addedTo([], hours(rule([{ weekday: 3, start: '01:00', end: '02:00' }])))).toEqual(['3 01:00-02:00'])
})

test('an allowed date is open all day, unless it is over, closed, or the rule has not begun', () => {
  const monday = { weekday: 1, start: '20:00', end: '21:00' }
  expect(addedTo([monday], hours(rule([], { allowed: ['2027-03-08'] })))).toEqual(['2027-03-08'])
  expect(addedTo([monday], hours(rule([], { allowed: ['2027-03-09'] })))).toEqual([])
  expect(addedTo([monday], hours(rule([], { allowed: ['2027-03-01'] })))).toEqual([])
  expect(addedTo([monday], hours(rule([], { allowed: ['2027-03-08'], forbidden: ['2027-03-08'] })))).toEqual([])
  expect(addedTo([monday], hours(rule([], { allowed: ['2027-03-08'], effectiveDate: '2027-04-01' })))).toEqual([])
  // The week has those hours anyway: the date adds nothing.
  expect(addedTo([monday], hours(rule([monday], { allowed: ['2027-03-08'] })))).toEqual(['1 20:00-21:00'])
})

test('a rule that has yet to begin opens all the same, a strategy that has ended never again', () => {
  const late = rule(EVENING, { effectiveDate: '2028-01-01' })
  expect(addedTo([{ weekday: 1, start: '20:00', end: '24:00' }], hours(late))).toEqual(['1 20:00-24:00'])
  expect(wallHours({ timeRuleIds: ['0'], validTo: NOW.moment - 1 }, new Map([['0', late]]), NOW)).toEqual(NO_HOURS)
})

test('what was so before is not new', () => {
  const before = hours(rule(every('08:00', '22:00'), { allowed: ['2027-03-07'] }))
  expect(addedTo(EVENING, before, before)).toEqual([])
  expect(addedTo(EVENING, hours(rule(every('08:00', '23:00')), rule([], { allowed: ['2027-03-07'] })), before)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((day) => `${day} 22:00-23:00`),
  )
  expect(addedTo(EVENING, unionOfHours([before, hours(rule([], { allowed: ['2027-03-06'] }))]), before)).toEqual(['2027-03-06'])
})
