import { expect, test } from 'vitest'
import { dayOpenness } from './calendar-month.ts'
import { isOpen } from './time-rule.ts'

const rule = {
  periods: [
    { weekday: 1, start: '08:00', end: '12:00' },
    { weekday: 1, start: '13:00', end: '24:00' },
    { weekday: 2, start: '00:00', end: '24:00' },
    { weekday: 3, start: '00:00', end: '10:00' },
    { weekday: 3, start: '10:00', end: '24:00' },
    { weekday: 4, start: 'x', end: '10:00' },
    { weekday: 5, start: '10:00', end: '09:00' },
  ],
  allowedExceptionDates: ['2026-03-08'],
  forbiddenExceptionDates: ['2026-03-10'],
  effectiveDate: '2026-03-02',
}
const opennessOn = (date: string) => {
  const { openness, reason } = dayOpenness(rule, date)
  return [openness, reason]
}

test('a day is open, closed or partly open by its periods; half filled and turned ones count for nothing', () => {
  expect(opennessOn('2026-03-09')).toEqual(['partly', 'periods'])
  expect(dayOpenness(rule, '2026-03-09').hours).toEqual([
    { from: 480, to: 720 },
    { from: 780, to: 1440 },
  ])
  expect(opennessOn('2026-03-03')).toEqual(['open', 'periods'])
  expect(opennessOn('2026-03-04')).toEqual(['open', 'periods'])
  expect(opennessOn('2026-03-05')).toEqual(['closed', 'periods'])
  expect(opennessOn('2026-03-06')).toEqual(['closed', 'periods'])
})

test('other days and the effective date win over the week', () => {
  expect(opennessOn('2026-03-08')).toEqual(['open', 'allowedDate'])
  expect(opennessOn('2026-03-10')).toEqual(['closed', 'forbiddenDate'])
  expect(opennessOn('2026-03-01')).toEqual(['closed', 'beforeEffective'])
})

test('agrees with what a door decides, minute by minute', () => {
  for (let day = 1; day <= 31; day++) {
    const date = `2026-03-${String(day).padStart(2, '0')}`
    const { hours } = dayOpenness(rule, date)
    for (let minute = 0; minute < 1440; minute += 15)
      expect(
        hours.some(({ from, to }) => minute >= from && minute < to),
        `${date} ${minute}`,
      ).toBe(isOpen({ id: '', ...rule }, Date.parse(date) + minute * 60_000, 'UTC'))
  }
})
