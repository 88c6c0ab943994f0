import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metresPerPixel, scaleFor } from './scale.ts'

test('a pixel spans what web maps say it does', () => {
  expect(metresPerPixel(0, 0)).toBeCloseTo(156_543, 0)
  expect(metresPerPixel(60, 16)).toBeCloseTo(1.194, 2)
})

test('a scale bar has a round length in the units that were chosen', () => {
  expect(scaleFor(1, 'metric', 120)).toEqual({ pixels: 100, length: 100, unit: 'm' })
  expect(scaleFor(20, 'metric', 120)).toEqual({ pixels: 100, length: 2, unit: 'km' })
  expect(scaleFor(1, 'imperial', 120)).toMatchObject({ length: 200, unit: 'ft' })
  expect(scaleFor(40, 'imperial', 120)).toMatchObject({ length: 2, unit: 'mi' })
})

test('it never outgrows its room and never shrinks below a third of it', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 100_000, noNaN: true }),
      fc.constantFrom('metric' as const, 'imperial' as const),
      (perPixel, units) => {
        const { pixels } = scaleFor(perPixel, units, 120)
        expect(pixels).toBeLessThanOrEqual(120.0001)
        expect(pixels).toBeGreaterThan(40)
      },
    ),
  )
})
