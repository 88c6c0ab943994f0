import { accessMethod } from '@gatehouse/contract/enums'
import { expect, test } from 'vitest'
import { failReasonOf, methodOf, worksWithoutFace } from './methods.ts'

test('every method that is not permitted has the fail reason of what was shown first', () => {
  expect(accessMethod.values.map((method) => [method, failReasonOf(method)])).toEqual([
    [1, 2],
    [2, 4],
    [3, 4],
    [4, 3],
    [5, 3],
    [6, 5],
    [7, 5],
    [8, 21],
    [9, 21],
    [10, 21],
    [11, 21],
    [12, 20],
    [13, 4],
    [14, 3],
    [15, 21],
  ])
  expect(failReasonOf(null)).toBe(99)
})

test('a person without a face passes by methods that compare none', () => {
  expect(accessMethod.values.filter(worksWithoutFace)).toEqual([2, 4, 6, 8, 12, 13, 14, 15])
  expect([0, 16].some(worksWithoutFace)).toBe(false)
})

test('the method tried is told by what was shown', () => {
  expect(methodOf({ face: { personId: null, score: 0 } })).toBe(1)
  expect(methodOf({})).toBeNull()
})
