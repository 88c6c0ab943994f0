import { expect, test } from 'vitest'
import { createMoments } from './moments.ts'

const EVERY = 40

/** Return when each of these pictures was taken, by when they arrive. */
const taken = (arrivals: readonly number[]): number[] => {
  const moments = createMoments()
  return arrivals.map((arrivedAt) => moments.next(arrivedAt))
}

const apart = (moments: readonly number[]): number[] => moments.slice(1).map((moment, index) => moment - moments[index]!)
const pictures = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index * EVERY)

test('pictures that arrive evenly were taken when they arrive', () => {
  const arrivals = pictures(50)
  expect(taken(arrivals)).toEqual(arrivals)
})

test('pictures that were held up and arrive together were taken apart', () => {
  const even = pictures(50)
  // Six of them arrive within three milliseconds.
  const arrivals = even.map((at, index) => (index >= 20 && index < 26 ? even[26]! - 3 + (index - 20) / 2 : at))
  const moments = taken(arrivals)
  for (const [index, moment] of moments.entries()) expect(Math.abs(moment - even[index]!)).toBeLessThan(EVERY)
  expect(Math.min(...apart(moments))).toBeGreaterThan(EVERY / 4)
})

test('a camera that pauses is caught up with, and no picture is more than a second old', () => {
  const arrivals = [...pictures(25), ...pictures(250, 2_500)]
  const moments = taken(arrivals)
  for (const [index, moment] of moments.entries()) {
    expect(moment).toBeLessThanOrEqual(arrivals[index]!)
    expect(moment).toBeGreaterThanOrEqual(arrivals[index]! - 1_000)
  }
  expect(arrivals.at(-1)! - moments.at(-1)!).toBeLessThan(EVERY)
})

test('after two seconds without a picture a stream begins again', () => {
  const [, , third] = taken([0, 40, 3_000])
  expect(third).toBe(3_000)
})

test('whatever arrives when, each picture is later than the one before', () => {
  const arrivals = [0, 0.01, 0.02, 500, 500.01, 500.02, 500.03, 900, 900.5, 2_500, 5_000, 5_000.1]
  for (const step of apart(taken(arrivals))) expect(step).toBeGreaterThan(0)
})
