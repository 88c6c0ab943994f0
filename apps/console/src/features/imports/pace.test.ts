import { expect, test } from 'vitest'
import { rateOf, spokenDuration, withSample } from './pace.ts'

test('the pace is that of the last seconds', () => {
  let samples = withSample([], { at: 0, done: 0 })
  expect(rateOf(samples)).toBeNull()
  samples = withSample(samples, { at: 1_000, done: 50 })
  expect(rateOf(samples)).toBeNull()
  samples = withSample(samples, { at: 4_000, done: 200 })
  expect(rateOf(samples)).toBe(50)
  samples = withSample(withSample(samples, { at: 30_000, done: 200 }), { at: 40_000, done: 300 })
  expect(rateOf(samples)).toBe(10)
})

test('work that stands still has no pace, and work begun anew forgets the old one', () => {
  expect(
    rateOf([
      { at: 0, done: 5 },
      { at: 9_000, done: 5 },
    ]),
  ).toBeNull()
  expect(withSample([{ at: 0, done: 90 }], { at: 1_000, done: 3 })).toEqual([{ at: 1_000, done: 3 }])
})

test('times are spoken of in seconds, then in minutes', () => {
  expect([0.2, 45, 89, 90, 600].map(spokenDuration)).toEqual([
    { unit: 'second', count: 1 },
    { unit: 'second', count: 45 },
    { unit: 'second', count: 89 },
    { unit: 'minute', count: 2 },
    { unit: 'minute', count: 10 },
  ])
})
