import { expect, test } from 'vitest'
import { clearlyWorse, falseNonMatchAt, muchMoreOften, often, rarely, roughly, timesRarer } from './rates.ts'

test('numbers are said as exactly as they are known', () => {
  expect([7.4, 42.3, 1234, 49_999, 1_000_000].map(roughly)).toEqual([7, 42, 1200, 50_000, 1_000_000])
})

test('rare things are said as one in so many, common ones out of a hundred', () => {
  expect(rarely(1 / 50_000)).toEqual({ as: 'oneIn', count: 50_000 })
  expect(rarely(0.45)).toEqual({ as: 'of100', count: 45 })
  expect(rarely(0)).toEqual({ as: 'none' })
  expect(rarely(0.9991)).toEqual({ as: 'nearlyAll' })
  expect(often(0.0716)).toEqual({ as: 'of100', count: 7.2 })
  expect(often(0.31)).toEqual({ as: 'of100', count: 31 })
  expect(often(0.0004)).toEqual({ as: 'oneIn', count: 2500 })
  expect(often(0)).toEqual({ as: 'none' })
})

test('a curve is read between its points and not beyond them', () => {
  const curve = [
    { score: 80, falseNonMatchRate: 0.3 },
    { score: 60, falseNonMatchRate: 0.02 },
    { score: 70, falseNonMatchRate: 0.1 },
    { score: 90, falseNonMatchRate: null },
  ]
  expect(falseNonMatchAt(curve, 65)).toBeCloseTo(0.06)
  expect(falseNonMatchAt(curve, 80)).toBe(0.3)
  expect(falseNonMatchAt(curve, 50)).toBeNull()
  expect(falseNonMatchAt(curve, 85)).toBeNull()
  expect(falseNonMatchAt(curve, 95)).toBeNull()
  expect(falseNonMatchAt([], 70)).toBeNull()
})

test('a part is clearly worse where the intervals do not touch', () => {
  const all = { rate: 0.001, low: 0.0008, high: 0.0012 }
  expect(clearlyWorse({ rate: 0.004, low: 0.0013, high: 0.009 }, all)).toBe(true)
  expect(clearlyWorse({ rate: 0.004, low: 0.0011, high: 0.009 }, all)).toBe(false)
  expect(clearlyWorse({ rate: 0.0001, low: 0, high: 0.0002 }, all)).toBe(false)
  expect(clearlyWorse(null, all)).toBe(false)
})

test('a part is named where its strangers are taken for one another more than three times as often, beyond chance', () => {
  const all = { rate: 0.001, low: 0.0008, high: 0.0012 }
  expect(muchMoreOften({ rate: 0.0031, low: 0.0011, high: 0.006 }, all)).toBe(true)
  expect(muchMoreOften({ rate: 0.0029, low: 0.002, high: 0.004 }, all)).toBe(false)
  expect(muchMoreOften({ rate: 0.01, low: 0.0009, high: 0.05 }, all)).toBe(false)
  expect(muchMoreOften({ rate: 0, low: 0, high: 0.5 }, { rate: 0, low: 0, high: 0.1 })).toBe(false)
  expect(muchMoreOften(null, all)).toBe(false)
})

test('ten points of lead are ten times', () => {
  expect([0, 3, 10].map(timesRarer)).toEqual([1, 2, 10])
})
