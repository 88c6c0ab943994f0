import { expect, test } from 'vitest'
import { NOW, passage, person as ann } from './cases/passage.ts'
import { decide } from './decide.ts'
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

test('a person expires when the validity is over, and passes again when it is extended [STATE:person:1>2] [STATE:person:2>1]', () => {
  const until = (validTo: number) => ({ ...ann(), validTo })
  const seen = (validTo: number) => [personStatusAt(until(validTo), NOW), decide(passage({ person: until(validTo) })).failReason]
  expect(seen(NOW)).toEqual([1, null])
  expect(seen(NOW - 1)).toEqual([2, 902])
  expect(seen(NOW + 1)).toEqual([1, null])
})
