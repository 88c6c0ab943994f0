import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLine, LineFull } from './line.ts'

test('serves in the order of arrival, never more than there is room for, and everybody', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 30 }), async (sizes) => {
      const line = createLine(10, 100)
      const order: number[] = []
      let inside: number[] = []
      await Promise.all(
        sizes.map(async (size, place) => {
          const leave = await line.enter(size)
          order.push(place)
          inside.push(size)
          const sum = inside.reduce((total, one) => total + one, 0)
          expect(sum <= 10 || inside.length === 1).toBe(true)
          await Promise.resolve()
          inside = inside.toSpliced(inside.indexOf(size), 1)
          leave()
          leave()
        }),
      )
      expect(order).toEqual(sizes.map((_, place) => place))
      expect(line.idle()).toBe(true)
    }),
  )
})

test('whoever comes when too many wait is told so', async () => {
  const line = createLine(1, 1)
  const leave = await line.enter()
  const waiting = line.enter()
  await expect(line.enter()).rejects.toThrow(LineFull)
  expect(line.idle()).toBe(false)
  leave()
  ;(await waiting)()
  expect(line.idle()).toBe(true)
})
