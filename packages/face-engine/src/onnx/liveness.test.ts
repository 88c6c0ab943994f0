import { expect, test } from 'vitest'
import { surroundings } from './liveness.ts'

const photo = { width: 1000, height: 800 }

test('what is cut out is the box, larger around its centre', () => {
  expect(surroundings({ x: 450, y: 350, width: 100, height: 120 }, 2.5, photo)).toEqual({ x: 375, y: 260, width: 250, height: 300 })
})

test('near an edge it is moved inside, not made smaller', () => {
  expect(surroundings({ x: 10, y: 20, width: 100, height: 100 }, 4, photo)).toEqual({ x: 0, y: 0, width: 400, height: 400 })
  expect(surroundings({ x: 890, y: 680, width: 100, height: 100 }, 4, photo)).toEqual({ x: 600, y: 400, width: 400, height: 400 })
})

test('a face that fills the photograph gets as much around it as there is, in its own proportions', () => {
  const { x, y, width, height } = surroundings({ x: 300, y: 200, width: 400, height: 400 }, 4, photo)
  expect([width, height]).toEqual([799, 799])
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(photo.width)
  expect(y + height).toBeLessThanOrEqual(photo.height)
})

test('a box that reaches beyond the photograph stays within it', () => {
  const { x, y, width, height } = surroundings({ x: -200, y: -100, width: 1400, height: 1200 }, 2.7, photo)
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
  expect(Math.min(width, height)).toBeGreaterThan(0)
  expect(x + width).toBeLessThanOrEqual(photo.width)
  expect(y + height).toBeLessThanOrEqual(photo.height)
})
