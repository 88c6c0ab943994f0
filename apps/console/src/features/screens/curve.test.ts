import { expect, test } from 'vitest'
import { busiestOf, lineThrough, pointsOf, topOf, type Hour } from './curve.ts'

const hours: Hour[] = Array.from({ length: 24 }, (_, hour) => ({ hour, in: hour === 8 ? 50 : 0, out: hour === 18 ? 25 : 0, ordinary: 5 }))

test('the highest hour reaches the top, and only hours that have been are drawn', () => {
  expect(topOf(hours)).toBe(50)
  const points = pointsOf(hours, 'in', 9)
  expect(points).toHaveLength(9)
  expect(points.at(-1)).toEqual([8.5, 0])
  expect(pointsOf(hours, 'out', 24)[18]).toEqual([18.5, 50])
})

test('a quiet day is not blown up', () => {
  expect(topOf(hours.map((hour) => ({ ...hour, in: 1, out: 0, ordinary: 0 })))).toBe(10)
})

test('the line goes through every point', () => {
  const line = lineThrough([
    [0, 100],
    [1, 40],
    [2, 60],
  ])
  for (const point of ['M0,100', '1,40', '2,60']) expect(line).toContain(point)
})

test('the busiest hour is named, unless nobody came', () => {
  expect(busiestOf(hours)).toBe(8)
  expect(busiestOf(hours.map((hour) => ({ ...hour, in: 0 })))).toBeUndefined()
})
