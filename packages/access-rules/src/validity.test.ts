import { expect, test } from 'vitest'
import { personStatusAt } from './validity.ts'

const MOMENT = 1_800_000_000_000

test.each([
  ['enabled without an end', { enabled: true }, 1],
  ['enabled in its last millisecond', { enabled: true, validTo: MOMENT }, 1],
  ['expired a millisecond later', { enabled: true, validTo: MOMENT - 1 }, 2],
  ['enabled before its beginning', { enabled: true, validFrom: MOMENT + 1 }, 1],
  ['disabled', { enabled: false }, 0],
  ['disabled rather than expired', { enabled: false, validTo: MOMENT - 1 }, 0],
])('a person is %s', (_, person, status) => {
  expect(personStatusAt(person, MOMENT)).toBe(status)
})
