import { expect, test } from 'vitest'
import { familyOf, searchOf } from './http.ts'

test('a query leaves out what is empty and repeats lists', () => {
  expect(searchOf({ name: '', page: 1, ids: ['a', 'b'], status: 0, phone: undefined })).toBe('?page=1&ids=a&ids=b&status=0')
  expect(searchOf({})).toBe('')
})

test.each([
  ['basic', 400, 901, 'login'],
  ['self', 200, 901, 'http'],
  ['basic', 400, 100401, 'business'],
  ['person.list', 200, 200215, 'business'],
  ['person.list', 404, 404, 'http'],
  ['person.list', 200, 299999, 'business'],
] as const)('%s, HTTP %i, code %i belongs to the family %s', (permission, status, code, family) => {
  expect(familyOf({ permission }, status, code)).toBe(family)
})
