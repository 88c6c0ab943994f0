import { describe, expect, test } from 'vitest'
import { hourOfDay } from '../../kit/useHour.ts'
import { busiestOf, paceOf } from './pace.ts'

const day = (ordinary: number, passed: Record<number, [number, number]>) =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, in: passed[hour]?.[0] ?? 0, out: passed[hour]?.[1] ?? 0, ordinary }))

describe('paceOf', () => {
  test('counts the hour under way as far as it has gone', () => {
    expect(paceOf(day(20, { 8: [40, 2], 9: [10, 3] }), 9.5)).toEqual({ entries: 50, ordinary: 190, difference: -74, busiest: 8 })
  })

  test('a busier day is above', () => expect(paceOf(day(10, { 1: [30, 0] }), 2).difference).toBe(50))

  test('tells a park without an ordinary day from an ordinary day that has hardly begun, and compares with neither', () => {
    expect(paceOf(day(0, { 8: [3, 1] }), 12)).toEqual({ entries: 3, ordinary: undefined, difference: undefined, busiest: 8 })
    expect(paceOf(day(4, { 0: [3, 1] }), 1.5)).toEqual({ entries: 3, ordinary: 6, difference: undefined, busiest: 0 })
  })

  test('a day on which nobody has come in has no busiest hour', () => expect(paceOf(day(1, {}), 6).busiest).toBeUndefined())
})

test('the busiest hour is the first of those with most entries', () => {
  expect(busiestOf(day(0, { 7: [5, 0], 8: [9, 1], 17: [9, 20] }))).toBe(8)
  expect(busiestOf(day(0, { 17: [0, 20] }))).toBeUndefined()
})

test('the hour is of the zone, not of this computer', () => {
  const now = Date.UTC(2026, 10, 20, 22, 30)
  expect(hourOfDay(now, 480)).toBe(6.5)
  expect(hourOfDay(now, -300)).toBe(17.5)
})
