import { expect, test } from 'vitest'
import { accessRecordFilter } from '@gatehouse/contract/records/calls'
import { personQuery } from '@gatehouse/contract/people/calls'
import { readQuery, writeQuery } from './address.ts'

test('an empty address is the default query', () => {
  expect(readQuery(personQuery, new URLSearchParams())).toEqual({ page: 1, size: 20 })
})

test('numbers and yes or no are read as the schema wants them', () => {
  expect(readQuery(personQuery, new URLSearchParams('page=3&status=0&name=12'))).toEqual({ page: 3, size: 20, status: 0, name: '12' })
  expect(readQuery(accessRecordFilter, new URLSearchParams('result=0&stranger=true&startTime=1700000000000'))).toEqual({
    result: 0,
    stranger: true,
    startTime: 1_700_000_000_000,
  })
})

test('what does not fit is left out, the rest is kept', () => {
  expect(readQuery(personQuery, new URLSearchParams('page=0&status=many&name=lin&unknown=1'))).toEqual({ page: 1, size: 20, name: 'lin' })
})

test('writing leaves out defaults and empty values, and reading gives the query back', () => {
  const query = { page: 2, size: 20, name: '林', phone: '', status: undefined, hasFace: 0 }
  const search = writeQuery(personQuery, query)
  expect(search.toString()).toBe('page=2&name=%E6%9E%97&hasFace=0')
  expect(readQuery(personQuery, search)).toEqual({ page: 2, size: 20, name: '林', hasFace: 0 })
})
