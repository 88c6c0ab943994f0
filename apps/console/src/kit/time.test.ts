import { describe, expect, test } from 'vitest'
import { fakeBrowser } from '../api/testing/browser.ts'
import {
  daysUntil,
  formatInstant,
  hourFrom,
  instantOfWallClock,
  recallOffset,
  rememberOffset,
  shortTime,
  startOfDay,
  useZoneOffset,
} from './time.ts'

const SHANGHAI = 480
const noon = Date.UTC(2026, 10, 20, 4, 0, 0)

test('the offset of an answer is stored, and times are written with it after a restart too [BEH-100, BEH-101]', async () => {
  await fakeBrowser()
  rememberOffset('345')
  useZoneOffset.setState({ offset: 0 })
  recallOffset()
  const { offset } = useZoneOffset.getState()
  expect(formatInstant(noon, offset)).toBe('2026-11-20 09:45:00')
  rememberOffset('nonsense')
  rememberOffset(null)
  expect(useZoneOffset.getState().offset).toBe(345)
})

test('an hour of the day is written from when to when', () => {
  expect([5, 23].map(hourFrom)).toEqual(['05:00–06:00', '23:00–24:00'])
})

test('a day begins by the clock of the park', () => {
  expect(startOfDay(noon, SHANGHAI)).toBe(Date.UTC(2026, 10, 19, 16))
  expect(startOfDay(Date.UTC(2026, 10, 20, 16), SHANGHAI)).toBe(Date.UTC(2026, 10, 20, 16))
})

test('a time is shown on the clock of the park', () => {
  expect(formatInstant(noon, SHANGHAI)).toBe('2026-11-20 12:00:00')
  expect(formatInstant(noon, -210)).toBe('2026-11-20 00:30:00')
  expect(instantOfWallClock({ year: 2026, month: 10, day: 20, hour: 12 }, SHANGHAI)).toBe(noon)
})

describe('short times', () => {
  test.each([
    [2000, { unit: 'now' }],
    [12_000, { unit: 'second', count: 12 }],
    [125_000, { unit: 'minute', count: 2 }],
    [2 * 3_600_000, { unit: 'text', text: '10:00' }],
    [13 * 3_600_000, { unit: 'text', text: '11-19 23:00' }],
    [400 * 86_400_000, { unit: 'text', text: '2025-10-16' }],
    [-3_600_000, { unit: 'text', text: '13:00' }],
  ])('%i ms ago', (age, expected) => {
    expect(shortTime(noon - age, noon, SHANGHAI)).toEqual(expected)
  })
})

test('days left count up to the last', () => {
  expect(daysUntil(noon + 1, noon)).toBe(1)
  expect(daysUntil(noon - 86_400_000, noon)).toBe(-1)
})
