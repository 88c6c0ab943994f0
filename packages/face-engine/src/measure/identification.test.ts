import { describe, expect, test } from 'vitest'
import { leadEffect, searchFigures, verificationFigures } from './identification.ts'
import type { ComparedPair, Probe } from './identification.ts'
import { genuinePairs, impostorPairs, normalsOf } from './testing/galleries.ts'

const ASKED = { falseAcceptRates: [0.1, 0.01] }

/** Impostors around 10, genuine ones around 7, both with variance 1. */
function simulated(seed: string): ComparedPair[] {
  const gallery = { persons: 30, photos: 3, personShare: 0.1 }
  const pairs: ComparedPair[] = []
  impostorPairs(gallery, normalsOf(`${seed} impostors`), (first, second, distance) => pairs.push({ first, second, distance }))
  genuinePairs(gallery, normalsOf(`${seed} genuine`), (first, second, distance) => pairs.push({ first, second, distance: distance - 3 }))
  return pairs
}

describe('verification', () => {
  test('figures are what the distances say', () => {
    const impostors = Array.from({ length: 100 }, (_, at) => ({ first: at % 10, second: (at % 10) + 1, distance: 1 + at / 100 }))
    const genuine = Array.from({ length: 100 }, (_, at) => ({ first: at % 11, second: at % 11, distance: 0.205 + at / 100 }))
    const { equalErrorRate, trueAccepts } = verificationFigures([...impostors, ...genuine], ASKED)
    // Genuine ones up to 1.195, impostors from 1: a tenth of either errs around 1.1.
    expect(equalErrorRate.rate).toBeCloseTo(0.1, 6)
    expect(trueAccepts.map(({ falseAcceptRate, accepted }) => [falseAcceptRate, accepted.rate])).toEqual([
      [0.1, 0.9],
      [0.01, 0.81],
    ])
  })

  test('figures lie within their intervals, which hold the true ones', () => {
    let covered = 0
    for (let run = 0; run < 40; run++) {
      const { equalErrorRate, trueAccepts } = verificationFigures(simulated(`run ${run}`), { ...ASKED, draws: 200 })
      for (const { rate, low, high } of [equalErrorRate, ...trueAccepts.map(({ accepted }) => accepted)]) {
        expect(low).toBeLessThanOrEqual(rate)
        expect(rate).toBeLessThanOrEqual(high)
      }
      // Two normal distributions three apart cross at one and a half.
      if (equalErrorRate.low <= 0.0668 && 0.0668 <= equalErrorRate.high) covered++
    }
    expect(covered).toBeGreaterThanOrEqual(36)
  })

  test('the same seed draws the same persons', () => {
    const pairs = simulated('seed')
    expect(verificationFigures(pairs, { ...ASKED, draws: 50 })).toEqual(verificationFigures(pairs, { ...ASKED, draws: 50 }))
    expect(verificationFigures(pairs, { ...ASKED, draws: 50, seed: 'a' })).not.toEqual(
      verificationFigures(pairs, { ...ASKED, draws: 50, seed: 'b' }),
    )
  })

  test('nobody mistaken: certain only as far as there are persons', () => {
    const pairs = [0, 1, 2, 3].flatMap((first) => [0, 1, 2, 3].map((second) => ({ first, second, distance: first === second ? 0.1 : 0.9 })))
    const { equalErrorRate, trueAccepts } = verificationFigures(pairs, ASKED)
    expect(equalErrorRate).toMatchObject({ rate: 0, low: 0 })
    expect(equalErrorRate.high).toBeCloseTo(1 - 0.025 ** (1 / 4), 6)
    expect(trueAccepts[1]!.accepted).toMatchObject({ rate: 1, high: 1 })
  })

  test('pairs of one kind only say nothing', () => {
    expect(() => verificationFigures([{ first: 0, second: 0, distance: 1 }], ASKED)).toThrow(RangeError)
    expect(() => verificationFigures([{ first: 0, second: 1, distance: 1 }], ASKED)).toThrow(RangeError)
  })
})

/** A hundred probes of ten persons; enrolments ever farther, strangers ever nearer. */
const PROBES: Probe[] = Array.from({ length: 100 }, (_, at) => ({
  person: at % 10,
  mate: 0.3 + at / 500,
  others: [0.7995 - at / 250, 0.9],
}))

describe('search in a list', () => {
  test('as few are missed as the share of strangers allows', () => {
    // The nearest stranger is at 0.4035, the next at 0.4075: with none allowed enrolments up to 0.402 are found, with one up to 0.406.
    expect(searchFigures(PROBES, { falsePositiveRate: 0 })).toMatchObject({
      falsePositives: 0,
      distance: expect.closeTo(0.402),
      missed: { rate: expect.closeTo(0.48) },
    })
    const one = searchFigures(PROBES, { falsePositiveRate: 0.01 })
    expect(one.falsePositives).toBe(0.01)
    expect(one.missed.rate).toBeCloseTo(1 - 0.54, 9)
    expect(one.missed.low).toBeLessThan(one.missed.rate)
    expect(one.missed.high).toBeGreaterThan(one.missed.rate)
  })

  test("first comes whose enrolment is nearer than everybody else's", () => {
    const { rankOne } = searchFigures(PROBES, { falsePositiveRate: 0 })
    expect(rankOne.rate).toBeCloseTo(0.84, 9)
    expect(rankOne.low).toBeLessThan(0.84)
  })

  test('no probes say nothing', () => {
    expect(() => searchFigures([], { falsePositiveRate: 0.003 })).toThrow(RangeError)
  })
})

describe('a lead of the best over the second best', () => {
  const scoreOf = (distance: number) => 100 * (1 - distance)
  const probe = (mate: number, nearest: number, next: number): Probe => ({ person: 0, mate, others: [nearest, next] })
  const effect = (probes: Probe[], margin: number) => {
    const { refused, mistaken, strangersAccepted } = leadEffect(
      probes,
      (best, second) => scoreOf(best) >= 70 && scoreOf(best) - scoreOf(second) >= margin,
    )
    return [refused.rate, mistaken.rate, strangersAccepted.rate]
  }

  test('without one only the score counts', () => {
    expect(effect([probe(0.3, 0.35, 0.5)], 0)).toEqual([0, 0, 0])
    expect(effect([probe(0.31, 0.35, 0.5)], 0)).toEqual([1, 0, 0])
    expect(effect([probe(0.2, 0.1, 0.5)], 0)).toEqual([0, 1, 1])
  })

  test('who leads by less is not known, be it the right one or another', () => {
    expect(effect([probe(0.2, 0.24, 0.5)], 5)).toEqual([1, 0, 1])
    expect(effect([probe(0.2, 0.3, 0.5)], 5)).toEqual([0, 0, 1])
    // Somebody else comes first, close before the person's own enrolment; to a stranger's, that enrolment is not there.
    expect(effect([probe(0.14, 0.1, 0.5)], 5)).toEqual([1, 0, 1])
    expect(effect([probe(0.5, 0.1, 0.12)], 5)).toEqual([1, 0, 0])
  })
})
