import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactInterval, studentQuantile, wilsonInterval } from './interval.ts'

const intervals = { exact: exactInterval, wilson: wilsonInterval }

test.each([
  // Tables of Clopper and Pearson's limits.
  [0, 10, 0, 0.3085],
  [1, 10, 0.0025, 0.445],
  [5, 10, 0.1871, 0.8129],
  [10, 10, 0.6915, 1],
  [50, 100, 0.3983, 0.6017],
  [3, 1_000, 0.00062, 0.00874],
])('exact: %i of %i lies between %f and %f', (observed, trials, low, high) => {
  const interval = exactInterval(observed / trials, trials)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test('exact: with nothing observed it is the rule of three', () => {
  for (const trials of [1, 30, 1e4, 1e7]) {
    const { low, high } = exactInterval(0, trials)
    expect(low).toBe(0)
    expect(high / (1 - 0.025 ** (1 / trials))).toBeCloseTo(1, 6)
  }
})

test('exact: covers whatever the true share is, at least 95 times in 100', () => {
  const trials = 40
  for (const truth of [0.001, 0.02, 0.1, 0.37, 0.5, 0.95]) {
    let covered = 0
    let chance = (1 - truth) ** trials
    for (let observed = 0; observed <= trials; observed++) {
      const { low, high } = exactInterval(observed / trials, trials)
      if (low <= truth && truth <= high) covered += chance
      chance *= ((trials - observed) / (observed + 1)) * (truth / (1 - truth))
    }
    expect(covered).toBeGreaterThanOrEqual(0.95)
  }
})

test.each([
  [0, 30, 0, 0.1135],
  [1, 10, 0.0179, 0.4042],
  [50, 100, 0.4038, 0.5962],
])('Wilson: %i of %i lies between %f and %f', (observed, trials, low, high) => {
  const interval = wilsonInterval(observed / trials, trials)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test.each(Object.entries(intervals))('%s: holds the share, narrows with more trials, is alike for a share and its rest', (_, interval) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 200 }), (a, b) => {
      const [observed, trials] = [Math.min(a, b), Math.max(a, b)]
      const { rate, low, high } = interval(observed / trials, trials)
      expect(rate).toBe(observed / trials)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(low).toBeLessThanOrEqual(rate)
      expect(high).toBeGreaterThanOrEqual(rate)
      expect(high).toBeLessThanOrEqual(1)
      const more = interval(observed / trials, trials * 4)
      expect(more.high - more.low).toBeLessThan(high - low)
      const rest = interval((trials - observed) / trials, trials)
      expect(rest.low).toBeCloseTo(1 - high, 6)
      expect(rest.high).toBeCloseTo(1 - low, 6)
    }),
  )
})

test.each(Object.entries(intervals))('%s: without trials nothing is known', (_, interval) => {
  expect(interval(NaN, 0)).toEqual({ rate: 0, low: 0, high: 1 })
})

test('exact: a number of trials that was estimated from few persons widens it', () => {
  const known = exactInterval(0.1, 50)
  const estimated = exactInterval(0.1, 50, studentQuantile(4))
  expect(estimated.low).toBeLessThan(known.low)
  expect(estimated.high).toBeGreaterThan(known.high)
})

test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [1_000, 1.962],
])('Student with %i degrees of freedom: %f', (freedom, quantile) => {
  expect(Math.abs(studentQuantile(freedom) / quantile - 1)).toBeLessThan(0.01)
})
