/** What was measured comes in force by itself where it asks for more, and where it asks for less only when somebody says so. */
import { describe, expect, test } from 'vitest'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { isLooser, tightened } from './curves-in-force.ts'
import type { CurvesInForce } from './own-curve-schema.ts'

const ASKED = { rate: 1e-4, shipped: 83 }
/** One in 10,000 reaches this score, and it is believed. */
const reaching = (score: number): OwnCurve => ({ score: score - 20, rate: 0.01, pointsPerTenfold: 10, trust: 1 })
const curves = (park: number | null, audiences: Record<string, number> = {}, modelId = 'one'): CurvesInForce => ({
  modelId,
  curve: park === null ? null : reaching(park),
  audiences: Object.fromEntries(Object.entries(audiences).map(([id, score]) => [id, reaching(score)])),
})
const THERE = new Set(['a', 'b'])

describe('of the park', () => {
  test.each([
    ['the first measuring', curves(90), null, curves(90)],
    ['more than before', curves(95), curves(90), curves(95)],
    ['less than before', curves(85), curves(90), curves(90)],
    ['nothing, with too few people left', curves(null), curves(90), curves(90)],
    ['so little more that nobody would notice', curves(90.4), curves(90), curves(90)],
    ['another model’s', curves(85), curves(90, {}, 'other'), curves(85)],
  ])('%s', (_, measured, inForce, expected) => {
    expect(tightened(measured, inForce, THERE, ASKED)).toEqual(expected)
  })
})

describe('of audiences', () => {
  test.each([
    ['more than the park', curves(90, { a: 95 }), null, curves(90, { a: 95 })],
    ['no more than the park', curves(90, { a: 90 }), null, curves(90)],
    ['less than before, and still more than the park', curves(90, { a: 95 }), curves(90, { a: 99 }), curves(90, { a: 99 })],
    ['as before, until the park asks for more', curves(99), curves(90, { a: 95 }), curves(99)],
    ['one that is no more', curves(90), curves(90, { gone: 99 }), curves(90)],
  ])('%s', (_, measured, inForce, expected) => {
    expect(tightened(measured, inForce, THERE, ASKED)).toEqual(expected)
  })
})

test.each([
  ['the park', curves(85), curves(90), true],
  ['doors of an audience', curves(90), curves(90, { a: 95 }), true],
  ['nobody, for both ask no more than the model', curves(70), curves(80), false],
  ['nobody who would notice', curves(89.7), curves(90), false],
  ['nobody', curves(95, { a: 99 }), curves(90), false],
])('it asks less of %s', (_, measured, inForce, expected) => {
  expect(isLooser(measured, inForce, ASKED)).toBe(expected)
})
