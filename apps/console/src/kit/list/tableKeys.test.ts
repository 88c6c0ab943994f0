import { expect, test } from 'vitest'
import { rowAfter } from './tableKeys.ts'

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 4, 4],
  ['ArrowUp', 0, 0],
  ['End', 1, 4],
  ['Home', 3, 0],
  ['a', 2, undefined],
])('%s from row %i of five', (key, at, expected) => {
  expect(rowAfter(key, at, 5)).toBe(expected)
})
