import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DISTANCE_AT_FALSE_ACCEPT_RATE, DOOR_DISTANCE, DOOR_SCORE, IncompatibleModel, distanceOf, distanceOfScore, scoreOf } from './match.ts'

const distance = fc.double({ min: 0, max: 1.4, noNaN: true })

test('the nearer, the higher the score', () => {
  fc.assert(
    fc.property(distance, distance, (a, b) => {
      if (a < b - 1e-9) expect(scoreOf(a)).toBeGreaterThan(scoreOf(b))
    }),
  )
})

test('a score leads back to its distance', () => {
  fc.assert(
    fc.property(distance, (d) => {
      expect(distanceOfScore(scoreOf(d))).toBeCloseTo(d, 9)
    }),
  )
})

test('scores run from 100 for the same picture to 0 for anything far away', () => {
  expect(scoreOf(0)).toBe(100)
  expect(scoreOf(1.4)).toBe(0)
  expect(scoreOf(3)).toBe(0)
  expect(distanceOfScore(100)).toBe(0)
  expect(distanceOfScore(0)).toBe(1.4)
})

test('a door asks for a false accept rate between 1e-3 and 1e-4', () => {
  expect(DOOR_DISTANCE).toBeLessThan(DISTANCE_AT_FALSE_ACCEPT_RATE['1e-3'])
  expect(DOOR_DISTANCE).toBeGreaterThan(DISTANCE_AT_FALSE_ACCEPT_RATE['1e-4'])
  expect(DOOR_SCORE).toBe(80)
  expect(distanceOfScore(DOOR_SCORE)).toBe(DOOR_DISTANCE)
})

test('the distance is euclidean, and only within one model', () => {
  const a = { modelId: 'm', embedding: new Float32Array([0, 3]) }
  expect(distanceOf(a, { modelId: 'm', embedding: new Float32Array([4, 0]) })).toBe(5)
  expect(() => distanceOf(a, { ...a, modelId: 'other' })).toThrow(IncompatibleModel)
})
