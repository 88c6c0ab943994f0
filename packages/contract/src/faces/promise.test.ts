import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateOfScore, scoreOfRate } from '../score.ts'
import { facePolicyFields } from './policy.ts'
import { FACE_PURPOSES } from './precision.ts'
import { CAUTION, PROMISE_BOUNDS, mistakesAt, rateKept, scoreKept, templatesRoundedUp } from './promise.ts'

const promise = fc.double({ min: PROMISE_BOUNDS.min, max: PROMISE_BOUNDS.max, noNaN: true })
const templates = fc.integer({ min: 1, max: 1_000_000 })
const facesPerDay = fc.integer({ min: 1, max: 100_000 })
const loosest = fc.double({ min: 1e-6, max: 1e-2, noNaN: true })

describe('a promise', () => {
  it('is kept with half to spare, whatever is compared', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FACE_PURPOSES),
        promise,
        templates,
        facesPerDay,
        loosest,
        (purpose, promised, count, perDay, least) => {
          const compared = purpose === 'watchList' ? { templates: count, facesPerDay: perDay } : { templates: count }
          const score = scoreKept(purpose, promised, compared, least)
          expect(mistakesAt(purpose, score, compared)).toBeLessThanOrEqual((promised / CAUTION) * (1 + 1e-6))
        },
      ),
    )
  })

  it('asks for more with each template and each face, and never for less than is recommended', () => {
    fc.assert(
      fc.property(promise, templates, templates, loosest, (promised, one, other, least) => {
        const [fewer, more] = [Math.min(one, other), Math.max(one, other)].map((count) =>
          scoreKept('door', promised, { templates: count }, least),
        )
        expect(more).toBeGreaterThanOrEqual(fewer!)
        expect(fewer).toBeGreaterThanOrEqual(scoreOfRate(least) - 1e-9)
        expect(rateKept('door', promised, { templates: 0 }, least)).toBe(rateKept('door', promised, { templates: 1 }, least))
      }),
    )
  })

  it('of ten in a thousand at a door of a hundred is one false match in 20,000 comparisons', () => {
    expect(rateKept('door', 10, { templates: 100 }, 5e-4)).toBeCloseTo(1 / 20_000, 12)
    expect(rateKept('door', 1, { templates: 10_000 }, 5e-4)).toBeCloseTo(5e-8, 12)
    // Rates below one in a million have scores too.
    expect(scoreKept('door', 1, { templates: 10_000 }, 5e-4)).toBeCloseTo(113, 1)
    expect(rateKept('watchList', 1, { templates: 10, facesPerDay: 1000 }, 1e-3)).toBeCloseTo(1 / 20_000, 12)
    expect(rateKept('search', 1, { templates: 200 }, 1e-2)).toBeCloseTo(1 / 400, 12)
  })

  it('is said back as what a score comes to', () => {
    expect(mistakesAt('door', scoreOfRate(5e-4), { templates: 199 })).toBeCloseTo(94.7, 1)
    expect(mistakesAt('watchList', scoreOfRate(1e-3), { templates: 5, facesPerDay: 400 })).toBeCloseTo(2, 9)
    expect(mistakesAt('search', scoreOfRate(1e-2), { templates: 199 })).toBeCloseTo(1.99, 9)
    expect(rateOfScore(scoreOfRate(1e-8))).toBeCloseTo(1e-8, 15)
  })

  it('is given within its bounds', () => {
    const { strangersPerThousand } = facePolicyFields.shape
    for (const value of [0.01, 0.1, 1, 10, 100]) expect(strangersPerThousand.safeParse(value).success).toBe(true)
    for (const value of [0, 0.009, 100.1, -1, NaN, '10', null]) expect(strangersPerThousand.safeParse(value).success).toBe(false)
  })
})

it('devices that do not know promises are told a threshold for as many templates or more, in steps', () => {
  expect([0, 1, 100, 101, 200, 201, 10_000].map(templatesRoundedUp)).toEqual([100, 100, 100, 200, 200, 400, 12_800])
  fc.assert(
    fc.property(templates, (count) => {
      const rounded = templatesRoundedUp(count)
      expect(rounded).toBeGreaterThanOrEqual(count)
      expect(rounded).toBeLessThan(Math.max(101, 2 * count))
    }),
  )
})
