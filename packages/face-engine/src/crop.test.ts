import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faceSquare } from './crop.ts'

const side = fc.integer({ min: 1, max: 4000 })
const part = fc.double({ min: -0.5, max: 1.5, noNaN: true })

test('the square lies inside the photograph, wherever the face is', () => {
  fc.assert(
    fc.property(side, side, part, part, part, part, (width, height, x, y, w, h) => {
      const box = { x: x * width, y: y * height, width: Math.abs(w) * width + 1, height: Math.abs(h) * height + 1 }
      const square = faceSquare(box, { width, height })
      expect(square.side).toBeGreaterThanOrEqual(1)
      expect(square.left).toBeGreaterThanOrEqual(0)
      expect(square.top).toBeGreaterThanOrEqual(0)
      expect(square.left + square.side).toBeLessThanOrEqual(width)
      expect(square.top + square.side).toBeLessThanOrEqual(height)
    }),
  )
})

test('a face in the middle of a large photograph stays in the middle of its square', () => {
  expect(faceSquare({ x: 450, y: 400, width: 100, height: 120 }, { width: 1000, height: 1000 })).toEqual({ left: 398, top: 358, side: 204 })
})
