/** A measurement comes into force by itself where it is stricter, and only on confirmation where it is looser. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { scoreKept } from '@gatehouse/contract/faces/promise'
import { curvesOf, endsOf, isLooser, tightened } from './curves-in-force.ts'
import type { CurvesInForce } from './own-curve-schema.ts'

const ENDS = endsOf(1e-4)
/** A curve that requires this many points more than the model's own, at every rate. */
const more = (points: number): OwnCurve => ({ score: 43 + points, rate: 1, pointsPerTenfold: 10 })
const curves = (park: number | null, devices: Record<string, number> = {}, modelId = 'one'): CurvesInForce => ({
  modelId,
  curve: park === null ? null : more(park),
  devices: Object.fromEntries(Object.entries(devices).map(([id, points]) => [id, more(points)])),
})
const THERE = [{ id: 'audience', devices: [{ id: 'a' }, { id: 'b' }] }]

describe('of the park', () => {
  test.each([
    ['the first measuring', curves(5), null, curves(5)],
    ['more than before', curves(10), curves(5), curves(10)],
    ['less than before', curves(2), curves(5), curves(5)],
    ['nothing, with too few people left', curves(null), curves(5), curves(5)],
    ['so little more that nobody would notice', curves(5.4), curves(5), curves(5)],
    ['another model’s', curves(2), curves(5, {}, 'other'), curves(2)],
  ])('%s', (_, measured, inForce, expected) => {
    expect(tightened(measured, inForce, THERE, ENDS)).toEqual(expected)
  })
})

describe('of devices', () => {
  test.each([
    ['more than the park', curves(5, { a: 10 }), null, curves(5, { a: 10 })],
    ['no more than the park', curves(5, { a: 5 }), null, curves(5)],
    ['less than before, and still more than the park', curves(5, { a: 10 }), curves(5, { a: 14 }), curves(5, { a: 14 })],
    ['as the park, where that asks for more by now', curves(14), curves(5, { a: 10 }), curves(14)],
    ['nothing of its own any more', curves(5), curves(5, { a: 10 }), curves(5, { a: 10 })],
    ['nothing, where it is no more', curves(5), curves(5, { gone: 14 }), curves(5)],
  ])('%s', (_, measured, inForce, expected) => {
    expect(tightened(measured, inForce, THERE, ENDS)).toEqual(expected)
  })
})

test.each([
  ['the park', curves(2), curves(5), true],
  ['a door', curves(5), curves(5, { a: 10 }), true],
  ['nobody, for both ask no more than the model', curves(-10), curves(-4), false],
  ['nobody who would notice', curves(4.7), curves(5), false],
  ['nobody', curves(10, { a: 14 }), curves(5), false],
])('it asks less of %s', (_, measured, inForce, expected) => {
  expect(isLooser(measured, inForce, ENDS)).toBe(expected)
})

test('a door whose people are more alike asks for no less than the park anywhere, also where somebody confirmed that', () => {
  const fit = (score: number, pointsPerTenfold: number) => ({
    persons: 100,
    pairs: 4950,
    curve: { score, rate: 0.01, pointsPerTenfold },
    trust: 1,
    at: { score: 0, low: 0, high: 0 },
  })
  const audiences = [{ id: 'audience', fit: fit(75, 8) }]
  const { curve, devices } = curvesOf('one', { fit: fit(68, 11), audiences }, THERE, ENDS)
  for (const templates of [1, 100, 10_000])
    for (const promise of [0.01, 1, 100])
      expect(askedBy(devices.a!, templates, promise)).toBeGreaterThanOrEqual(askedBy(curve, templates, promise) - 1e-9)
  expect(askedBy(devices.a!, 10)).toBeGreaterThan(askedBy(curve, 10))
})

/** Return the score that a promise requires at a door with this many templates. */
const askedBy = (curve: OwnCurve | null, templates: number, promise = 10) => scoreKept('door', promise, { templates }, 1e-4, curve)

test('no door, of however few or many people and whatever is promised, asks for less once more was measured', () => {
  const curve = fc.record({
    score: fc.double({ min: 40, max: 110, noNaN: true }),
    rate: fc.constant(0.01),
    pointsPerTenfold: fc.double({ min: 3, max: 20, noNaN: true }),
  })
  const trust = fc.double({ min: 0.1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.tuple(curve, trust),
      fc.tuple(curve, trust),
      fc.integer({ min: 1, max: 10_000 }),
      fc.constantFrom(0.01, 0.1, 1, 10, 100),
      (one, other, templates, promise) => {
        const fitted = ([found, believed]: [OwnCurve, number]) =>
          curvesOf(
            'one',
            { fit: { persons: 100, pairs: 4950, curve: found, trust: believed, at: { score: 0, low: 0, high: 0 } }, audiences: [] },
            THERE,
            ENDS,
          )
        const [before, measured] = [fitted(one), fitted(other)]
        const after = tightened(measured, before, THERE, ENDS)
        const asked = askedBy(after.curve, templates, promise)
        for (const { curve: earlier } of [before, measured]) expect(asked).toBeGreaterThan(askedBy(earlier, templates, promise) - 0.6)
        // The score is bounded, whatever was measured: a hundred times as rare, plus the caution.
        expect(asked).toBeLessThanOrEqual(askedBy(null, templates, promise) + 20 + 10 * Math.log10(2) + 1e-6)
      },
    ),
    { numRuns: 1_000 },
  )
})
