import { expect, test } from 'vitest'
import { clockText } from './clock.ts'

test.each([
  ['8', '08:00'],
  ['830', '08:30'],
  ['0830', '08:30'],
  ['8:30', '08:30'],
  ['8.30', '08:30'],
  ['8：30', '08:30'],
  [' 18:05 ', '18:05'],
  ['24', '24:00'],
  ['2400', '24:00'],
  ['25', '25'],
  ['8:75', '8:75'],
  ['noon', 'noon'],
  ['', ''],
])('typed %j means %j', (typed, meant) => {
  expect(clockText(typed)).toBe(meant)
})
