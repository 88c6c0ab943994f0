import { expect, test } from 'vitest'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_OPTIONS } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { readQuery, writeQuery } from './address.ts'

test('a page has 10, 20, 50 or 100 rows, 20 unless chosen [BEH-104]', () => {
  expect([PAGE_SIZE_OPTIONS, PAGE_SIZE_DEFAULT]).toEqual([[10, 20, 50, 100], 20])
  const { query } = peopleCalls.list
  expect(readQuery(query, new URLSearchParams())).toMatchObject({ page: 1, size: PAGE_SIZE_DEFAULT })
  for (const size of PAGE_SIZE_OPTIONS) expect(readQuery(query, writeQuery(query, { size }))).toMatchObject({ size })
})
