import { expect, test } from 'vitest'
import { spanOf } from './clientValues.ts'

test('a span is told in the largest unit that fits without a rest', () => {
  expect(spanOf(7200)).toEqual({ unit: 'hour', count: 2 })
  expect(spanOf(604_800)).toEqual({ unit: 'day', count: 7 })
  expect(spanOf(5400)).toEqual({ unit: 'minute', count: 90 })
  expect(spanOf(61)).toEqual({ unit: 'second', count: 61 })
})
