import { expect, test } from 'vitest'
import { ALWAYS, copied, offeredPeriod, spanOf, weekParts, type Period } from './week.ts'

const office = (weekday: number): Period => ({ weekday, start: '08:00', end: '18:00' })

test('a bar covers its share of the day; what cannot be read has none', () => {
  expect(spanOf({ start: '06:00', end: '24:00' })).toEqual({ from: 0.25, length: 0.75 })
  expect(spanOf({ start: '12:00', end: '12:00' })).toBeNull()
  expect(spanOf({ start: 'x', end: '12:00' })).toBeNull()
})

test('copying replaces the other days and leaves the rest', () => {
  const week = [office(1), { weekday: 2, start: '00:00', end: '01:00' }, { weekday: 6, start: '09:00', end: '10:00' }]
  expect(copied(week, 1, [1, 2, 3])).toEqual([office(1), { weekday: 6, start: '09:00', end: '10:00' }, office(2), office(3)])
})

test('copying an empty day empties the others', () => {
  expect(copied([office(2)], 1, [2])).toEqual([])
})

test('the next period follows the last and never leaves the day', () => {
  expect(offeredPeriod([], 3)).toEqual(office(3))
  expect(offeredPeriod([{ weekday: 3, start: '08:00', end: '12:00' }], 3)).toEqual({ weekday: 3, start: '13:00', end: '17:00' })
  expect(offeredPeriod([office(3), { weekday: 3, start: '20:00', end: '24:00' }], 3)).toEqual({ weekday: 3, start: '23:00', end: '24:00' })
})

test('a week is told in as few parts as it has', () => {
  expect(weekParts(ALWAYS)).toEqual([{ from: 1, to: 7, hours: ['00:00–24:00'] }])
  expect(weekParts([office(1), office(2), office(4), { weekday: 4, start: '06:00', end: '07:00' }])).toEqual([
    { from: 1, to: 2, hours: ['08:00–18:00'] },
    { from: 4, to: 4, hours: ['06:00–07:00', '08:00–18:00'] },
  ])
  expect(weekParts([])).toEqual([])
})
