import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IncompatibleModel, distanceOf } from './match.ts'

test('the distance is euclidean, and only within one model', () => {
  const a = { modelId: 'm', embedding: new Float32Array([0, 3]) }
  expect(distanceOf(a, { modelId: 'm', embedding: new Float32Array([4, 0]) })).toBe(5)
  expect(distanceOf(a, a)).toBe(0)
  expect(() => distanceOf(a, { ...a, modelId: 'other' })).toThrow(IncompatibleModel)
})

test('at unit length it says what the cosine says', () => {
  const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
  fc.assert(
    fc.property(angle, angle, (a, b) => {
      const at = (turn: number) => ({ modelId: 'm', embedding: new Float32Array([Math.cos(turn), Math.sin(turn)]) })
      expect(distanceOf(at(a), at(b)) ** 2).toBeCloseTo(2 - 2 * Math.cos(a - b), 5)
    }),
  )
})
