import fc from 'fast-check'
import { expect, test } from 'vitest'
import { legsOf, movedBy, placeOf, pointOf } from './planPlaces.ts'

const SIZE = { width: 1600, height: 900 }

test('a place is a fraction from the upper left corner, a point of the map counts from the lower left', () => {
  expect(pointOf({ x: 0, y: 0 }, SIZE)).toEqual([900, 0])
  expect(pointOf({ x: 1, y: 1 }, SIZE)).toEqual([0, 1600])
  expect(pointOf({ x: 0.25, y: 0.5 }, SIZE)).toEqual([450, 400])
})

test('a place survives the way to the map and back, to a ten-thousandth; a point beside the plan is its edge', () => {
  const fraction = fc.integer({ min: 0, max: 10_000 }).map((whole) => whole / 10_000)
  const pixels = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(fc.record({ x: fraction, y: fraction }), fc.record({ width: pixels, height: pixels }), (place, size) => {
      expect(placeOf(pointOf(place, size), size)).toEqual(place)
    }),
  )
  expect(placeOf([-20, 5000], SIZE)).toEqual({ x: 1, y: 1 })
  expect(placeOf([5000, -20], SIZE)).toEqual({ x: 0, y: 0 })
})

test('arrow keys move a pin by a hundredth, with Shift by a thousandth, and not off the plan', () => {
  const at = { x: 0.5, y: 0.995 }
  expect(movedBy(at, { key: 'ArrowLeft', shiftKey: false })).toEqual({ x: 0.49, y: 0.995 })
  expect(movedBy(at, { key: 'ArrowUp', shiftKey: true })).toEqual({ x: 0.5, y: 0.994 })
  expect(movedBy(at, { key: 'ArrowDown', shiftKey: false })).toEqual({ x: 0.5, y: 1 })
  expect(movedBy(at, { key: 'Enter', shiftKey: false })).toBeUndefined()
})

test('a path has each leg once, in the direction it was gone, over pins that are on the plan', () => {
  const pins = new Set(['a', 'b', 'c'])
  expect(legsOf(['a', 'a', 'b', 'x', 'b', 'a', 'b', 'x', 'c'], pins)).toEqual([
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
    { from: 'b', to: 'c' },
  ])
  expect(legsOf(['x'], pins)).toEqual([])
})
