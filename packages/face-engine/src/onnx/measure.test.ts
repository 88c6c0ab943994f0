import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anglesOf, certaintyOf, tightBox } from './measure.ts'
import type { FivePoints } from './yunet.ts'

/** A face held straight: eyes 54 apart, mouth 56 below them. */
const straight = (noseX = 0, noseY = 0.521 * 56): FivePoints => [
  { x: -27, y: 0 },
  { x: 27, y: 0 },
  { x: noseX, y: noseY },
  { x: -24, y: 56 },
  { x: 24, y: 56 },
]

describe('angles', () => {
  test('a face held straight has none', () => {
    for (const angle of Object.values(anglesOf(straight()))) expect(angle).toBeCloseTo(0, 6)
  })

  test('the nose leads: to the right is yaw, upwards is pitch', () => {
    expect(anglesOf(straight(12)).yaw).toBeGreaterThan(15)
    expect(anglesOf(straight(-12)).yaw).toBeCloseTo(-anglesOf(straight(12)).yaw, 6)
    expect(anglesOf(straight(0, 20)).pitch).toBeGreaterThan(15)
    expect(anglesOf(straight(0, 38)).pitch).toBeLessThan(-15)
  })

  test('lean, size and place change the roll alone', () => {
    const lean = fc.double({ min: -3, max: 3, noNaN: true })
    const scale = fc.double({ min: 0.2, max: 20, noNaN: true })
    fc.assert(
      fc.property(lean, scale, fc.integer({ min: -20, max: 20 }), (angle, size, nose) => {
        const [cos, sin] = [size * Math.cos(angle), size * Math.sin(angle)]
        const turned = straight(nose).map(({ x, y }) => ({
          x: cos * x - sin * y + 300,
          y: sin * x + cos * y + 200,
        })) as unknown as FivePoints
        const found = anglesOf(turned)
        expect(found.roll).toBeCloseTo((angle * 180) / Math.PI, 6)
        expect(found.yaw).toBeCloseTo(anglesOf(straight(nose)).yaw, 6)
        expect(found.pitch).toBeCloseTo(anglesOf(straight(nose)).pitch, 6)
      }),
    )
  })

  test('points that fall together give numbers still', () => {
    const point = { x: 5, y: 5 }
    for (const angle of Object.values(anglesOf([point, point, point, point, point]))) expect(Number.isFinite(angle)).toBe(true)
  })
})

describe('the box', () => {
  const photo = { width: 1000, height: 800 }

  test('inside the photograph loses the forehead alone', () => {
    expect(tightBox({ x: 400, y: 200, width: 200, height: 280 }, photo)).toEqual({ x: 400, y: 237.8, width: 200, height: 237.16 })
  })

  test('of a face the photograph cuts off reaches beyond the edge', () => {
    const [left, right] = [0, 900].map((x) => tightBox({ x, y: 200, width: 100, height: 272 }, photo))
    expect([left!.x, left!.width, right!.x, right!.width].map(Math.round)).toEqual([-100, 200, 900, 200])
    const above = tightBox({ x: 400, y: 0, width: 200, height: 136 }, photo)
    expect(above.y).toBeCloseTo(-136 + 0.135 * 272, 6)
    expect(tightBox({ x: 400, y: 664, width: 200, height: 136 }, photo).y).toBeCloseTo(664 + 0.135 * 272, 6)
  })

  test('of a whole face near the edge stays as it is', () => {
    expect(tightBox({ x: 0, y: 200, width: 200, height: 272 }, photo)).toMatchObject({ x: 0, width: 200 })
  })
})

test('certainty rises with the score, from 0 to 1', () => {
  const steps = Array.from({ length: 101 }, (_, i) => certaintyOf(i / 100))
  expect(steps[0]).toBe(0)
  expect(steps.at(-1)).toBe(1)
  for (const [i, step] of steps.entries()) if (i > 0) expect(step).toBeGreaterThanOrEqual(steps[i - 1]!)
  expect(certaintyOf(0.915)).toBeCloseTo(0.65, 6)
})
