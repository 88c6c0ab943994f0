import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BUILTIN_ENGINE } from '../builtin/model.ts'
import { createErrorCounts, gridOf } from './error-counts.ts'
import { genuinePairs, impostorPairs, normalsOf } from './testing/galleries.ts'

/** Rates of the normal distribution, and where it has them. */
const NORMAL = [
  { rate: 0.3085, at: -0.5 },
  { rate: 0.1587, at: -1 },
  { rate: 0.0228, at: -2 },
  { rate: 0.0062, at: -2.5 },
  { rate: 0.00135, at: -3 },
]
const GRID = [
  { score: 60, distance: 0.6 },
  { score: 70, distance: 0.5 },
  { score: 80, distance: 0.4 },
]

describe('in a gallery whose rates are known, 200 times over, the interval holds the true rate', () => {
  const RUNS = 200
  const galleries = [
    { persons: 40, photos: 1, personShare: 0 },
    { persons: 40, photos: 3, personShare: 0.1 },
    { persons: 60, photos: 2, personShare: 0.3 },
  ]

  test.each(galleries)('of false matches: $persons persons, $photos photographs, $personShare of the spread in the persons', (gallery) => {
    const normal = normalsOf(JSON.stringify(gallery))
    const grid = NORMAL.map(({ rate, at }) => ({ score: -rate, distance: 10 + at }))
    const covered = NORMAL.map(() => 0)
    for (let run = 0; run < RUNS; run++) {
      const counts = createErrorCounts({ grid })
      impostorPairs(gallery, normal, counts.add)
      for (const [at, { falseMatch }] of counts.result().points.entries()) {
        if (falseMatch.low <= NORMAL[at]!.rate && NORMAL[at]!.rate <= falseMatch.high) covered[at]!++
      }
    }
    for (const times of covered) expect(times / RUNS).toBeGreaterThanOrEqual(0.9)
  })

  test.each(galleries)('of false non-matches: $persons persons, $personShare of the spread in the persons', ({ persons, personShare }) => {
    const normal = normalsOf(`genuine ${persons} ${personShare}`)
    const grid = NORMAL.toReversed().map(({ rate, at }) => ({ score: rate, distance: 10 - at }))
    const covered = grid.map(() => 0)
    for (let run = 0; run < RUNS; run++) {
      const counts = createErrorCounts({ grid })
      genuinePairs({ persons, photos: 4, personShare }, normal, counts.add)
      for (const [at, { score: rate, falseNonMatch }] of counts.result().points.entries()) {
        if (falseNonMatch!.low <= rate && rate <= falseNonMatch!.high) covered[at]!++
      }
    }
    for (const times of covered) expect(times / RUNS).toBeGreaterThanOrEqual(0.9)
  })
})

test('somebody who is taken for many makes the rate less certain than as many mistakes among all', () => {
  const grid = [{ score: 60, distance: 0.5 }]
  const [spread, oneMany] = [createErrorCounts({ grid }), createErrorCounts({ grid })]
  for (let first = 0; first < 40; first++) {
    for (let second = 0; second < first; second++) {
      oneMany.add(first, second, first === 39 && second < 20 ? 0.4 : 0.9)
      spread.add(first, second, first === second + 20 ? 0.4 : 0.9)
    }
  }
  const [{ falseMatch: even }, { falseMatch: lamb }] = [spread.result().points[0]!, oneMany.result().points[0]!]
  expect(lamb.rate).toBe(even.rate)
  expect(lamb.high - lamb.low).toBeGreaterThan(2 * (even.high - even.low))
})

test('rates are shares of the pairs, whatever their order and whoever is named first', () => {
  const pair = fc.record({ first: fc.nat(6), second: fc.nat(6), distance: fc.double({ min: 0, max: 1, noNaN: true }) })
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 80 }), (pairs) => {
      const counts = createErrorCounts({ grid: GRID })
      for (const [at, { first, second, distance }] of pairs.entries()) {
        if (at % 2) counts.add(first, second, distance)
        else counts.add(second, first, distance)
        // What is asked in between changes nothing.
        if (at % 7 === 0) counts.result()
      }
      const genuine = pairs.filter(({ first, second }) => first === second)
      const impostors = pairs.filter(({ first, second }) => first !== second)
      const { genuinePairs: ones, impostorPairs: others, points, equalErrorRate } = counts.result()
      expect([ones, others]).toEqual([genuine.length, impostors.length])
      expect(equalErrorRate === null).toBe(genuine.length === 0 || impostors.length === 0)
      for (const { distance: limit, falseMatch, falseNonMatch } of points) {
        if (impostors.length > 0)
          expect(falseMatch.rate).toBeCloseTo(impostors.filter(({ distance }) => distance <= limit).length / impostors.length, 12)
        if (genuine.length > 0)
          expect(falseNonMatch!.rate).toBeCloseTo(genuine.filter(({ distance }) => distance > limit).length / genuine.length, 12)
        for (const { rate, low, high } of [falseMatch, ...(falseNonMatch ? [falseNonMatch] : [])]) {
          expect(low).toBeGreaterThanOrEqual(0)
          expect(low).toBeLessThanOrEqual(rate)
          expect(rate).toBeLessThanOrEqual(high)
          expect(high).toBeLessThanOrEqual(1)
        }
      }
    }),
  )
})

test('scattered pairs of two persons make the interval wider, never narrower', () => {
  const gallery = { persons: 20, photos: 3, personShare: 0.1 }
  const pairs: [number, number, number][] = []
  impostorPairs(gallery, normalsOf('scattered'), (...pair) => pairs.push(pair))
  const grid = [{ score: 1, distance: 8.5 }]
  const [together, scattered] = [createErrorCounts({ grid }), createErrorCounts({ grid })]
  for (const pair of pairs) together.add(...pair)
  for (let photo = 0; photo < 9; photo++) for (let at = photo; at < pairs.length; at += 9) scattered.add(...pairs[at]!)
  const [one, other] = [together.result().points[0]!.falseMatch, scattered.result().points[0]!.falseMatch]
  expect(other.rate).toBe(one.rate)
  expect(other.high).toBeGreaterThan(one.high)
  expect(other.low).toBeLessThan(one.low)
})

describe('where little was observed', () => {
  test('no pairs at all: nothing is known', () => {
    const { points, equalErrorRate, ...pairs } = createErrorCounts({ grid: GRID }).result()
    expect(pairs).toEqual({ genuinePairs: 0, impostorPairs: 0 })
    expect(equalErrorRate).toBeNull()
    for (const point of points) expect(point).toMatchObject({ falseMatch: { rate: 0, low: 0, high: 1 }, falseNonMatch: null })
  })

  test('no genuine pairs: no false non-matches', () => {
    const counts = createErrorCounts({ grid: GRID })
    counts.add(0, 1, 0.45)
    const { points, equalErrorRate } = counts.result()
    expect(points.map(({ falseMatch, falseNonMatch }) => [falseMatch.rate, falseNonMatch])).toEqual([
      [1, null],
      [1, null],
      [0, null],
    ])
    expect(equalErrorRate).toBeNull()
  })

  test('one person: as good as nothing is known of others', () => {
    const counts = createErrorCounts({ grid: GRID })
    for (let pair = 0; pair < 10; pair++) counts.add(0, 0, 0.3)
    const { falseMatch, falseNonMatch } = counts.result().points[0]!
    expect(falseMatch).toEqual({ rate: 0, low: 0, high: 1 })
    expect(falseNonMatch).toMatchObject({ rate: 0, low: 0 })
    expect(falseNonMatch!.high).toBeCloseTo(0.975, 6)
  })

  test('all distances equal: everything is a match or nothing is', () => {
    const counts = createErrorCounts({ grid: GRID })
    for (let first = 0; first < 30; first++) {
      for (let second = 0; second <= first; second++) counts.add(first, second, 0.5)
    }
    const { points, equalErrorRate } = counts.result()
    expect(points.map(({ falseMatch, falseNonMatch }) => [falseMatch.rate, falseNonMatch!.rate])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ])
    expect(equalErrorRate).toBe(0.5)
    // Thirty persons, all of whose pairs agree: one trial each, or one for two of them.
    expect(points[2]!.falseNonMatch!.low).toBeCloseTo(0.025 ** (1 / 30), 6)
    expect(points[2]!.falseMatch.high).toBeCloseTo(1 - 0.025 ** (1 / 15), 6)
  })

  test('no mistake at a strict score: as many trials count as at the nearest looser score with mistakes', () => {
    const counts = createErrorCounts({ grid: GRID })
    const persons = 100
    // Everybody is mistaken once, at the loosest score: pairs of a hundred persons are then as good as independent.
    for (let first = 0; first < persons; first++) {
      for (let second = 0; second < first; second++) counts.add(first, second, first === second + 50 ? 0.55 : 0.9)
    }
    const [loose, , strict] = counts.result().points
    expect(loose!.falseMatch.rate).toBeCloseTo(50 / 4950, 12)
    expect(strict!.falseMatch).toMatchObject({ rate: 0, low: 0 })
    expect(strict!.falseMatch.high).toBeCloseTo(1 - 0.025 ** (1 / 4950), 6)
  })
})

test('the equal error rate lies where the curves cross', () => {
  const grid = Array.from({ length: 101 }, (_, score) => ({ score, distance: 1 - score / 100 }))
  const counts = createErrorCounts({ grid })
  // Impostors evenly from 0.4 to 1, genuine ones from 0 to 0.6: they cross at 0.5, where a sixth of either errs.
  for (let at = 0; at < 600; at++) {
    counts.add(at % 30, (at + 1) % 30, 0.4005 + at / 1_000)
    counts.add(at % 30, at % 30, 0.0005 + at / 1_000)
  }
  expect(counts.result().equalErrorRate).toBeCloseTo(1 / 6, 3)
})

test("a grid of scores has each once, by rising score, with the model's distances", () => {
  const grid = gridOf(BUILTIN_ENGINE.calibration, [80, 60, 70, 60])
  expect(grid.map(({ score }) => score)).toEqual([60, 70, 80])
  const distances = [1e-2, 1e-3, 1e-4].map(
    (rate) => BUILTIN_ENGINE.calibration.curve.find((point) => point.falseMatchRate === rate)!.distance,
  )
  expect(grid.map(({ distance }) => distance)).toEqual(distances)
})
