import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DESCRIPTION_NUMBERS } from './description.ts'
import { EMBEDDING_NUMBERS, embeddingOf } from './embedding.ts'
import { BUILTIN_DIMENSIONS } from './model.ts'
import { PROJECTION_NUMBERS, projected } from './projection.ts'
import { RECOGNITION_NUMBERS } from './recognition.ts'

const numbers = (length: number, min: number, max: number) =>
  fc.array(fc.double({ min, max, noNaN: true }), { minLength: length, maxLength: length }).map((all) => Float32Array.from(all))
const lengthOf = (all: Float32Array): number => Math.hypot(...all)
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, number, at) => sum + number * b[at]!, 0)

const SIGNS_OF_FIRST = '-1,1,-1,-1,1,-1,-1,1,-1,1,1,1,1,1,1,1,1,-1,-1,-1,1,1,-1,1'
const WEIGHTED_SUMS = [107.6875, -52.3125, 34, -69.125, 11.5625, 177.9375, 71.0625, 136.5]

/** One number is 1, all others 0. */
const axis = (at: number): Float32Array => Float32Array.from({ length: DESCRIPTION_NUMBERS }, (_, place) => Number(place === at))

test('the projection is what kept templates were made by: its signs and rows never change', () => {
  const first = projected(axis(513))
  expect(
    first
      .slice(0, 24)
      .map((number) => Math.sign(number))
      .join(),
  ).toBe(SIGNS_OF_FIRST)
  const summed = Array.from({ length: 8 }, (_, at) =>
    projected(axis(at * 100 + 7)).reduce((sum, number, row) => sum + number * (row + 1), 0),
  )
  expect(summed).toEqual(WEIGHTED_SUMS.map((sum) => expect.closeTo(sum, 3) as number))
})

test('its rows are orthogonal and of length 1: nothing grows, and what lies in them stays as it is', () => {
  fc.assert(
    fc.property(numbers(DESCRIPTION_NUMBERS, -1, 1), (all) => {
      expect(lengthOf(projected(all))).toBeLessThanOrEqual(lengthOf(all) * (1 + 1e-5))
    }),
    { numRuns: 50 },
  )
  // Of each number the same share is kept, and together as many as there are rows.
  const shares = Array.from({ length: 64 }, (_, at) => lengthOf(projected(axis(at * 16))) ** 2)
  for (const share of shares) expect(share).toBeCloseTo(PROJECTION_NUMBERS / DESCRIPTION_NUMBERS, 5)
})

test('an embedding has unit length whatever the nets say, and holds what the recognition net says in front', () => {
  expect(EMBEDDING_NUMBERS).toBe(BUILTIN_DIMENSIONS)
  fc.assert(
    fc.property(numbers(RECOGNITION_NUMBERS, -0.5, 0.5), numbers(DESCRIPTION_NUMBERS, 0, 6), (recognised, described) => {
      fc.pre(lengthOf(recognised) > 0.01 && new Set(described).size > 2)
      const embedding = embeddingOf(recognised, described)
      expect(lengthOf(embedding)).toBeCloseTo(1, 5)
      const front = embedding.slice(0, RECOGNITION_NUMBERS)
      expect(dot(front, recognised) / lengthOf(front) / lengthOf(recognised)).toBeCloseTo(1, 5)
      expect(lengthOf(front) ** 2).toBeCloseTo(1 / (1 + 0.35 ** 2), 4)
    }),
    { numRuns: 50 },
  )
})

test('how loud a description is as a whole says nothing', () => {
  const recognised = new Float32Array(RECOGNITION_NUMBERS).fill(0.1)
  const described = Float32Array.from({ length: DESCRIPTION_NUMBERS }, (_, at) => (at % 7) / 2)
  const louder = described.map((number) => number * 2)
  expect(dot(embeddingOf(recognised, described), embeddingOf(recognised, louder))).toBeCloseTo(1, 5)
})
