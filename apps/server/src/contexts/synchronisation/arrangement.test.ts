import { expect, test } from 'vitest'
import { personSyncStatus as statusOf } from '@gatehouse/contract/enums/access'
import { pageOfArrangement } from './arrangement.ts'

/** Four members, of whom all but one have arrived, and one person who is to be removed. */
const arrangement = {
  everybody: ['a', 'b', 'c', 'd'],
  status: statusOf.success,
  others: new Map([
    ['c', statusOf.failed],
    ['z', statusOf.deleting],
  ]),
  othersInside: 1,
}
const pageOf = (query: { page?: number; size?: number; status?: number; only?: readonly string[]; except?: readonly string[] } = {}) => {
  const { page = 1, size = 10, status, only, except } = query
  const { ids, total } = pageOfArrangement(arrangement, {
    page,
    size,
    status,
    only: only === undefined ? null : new Set(only),
    except: new Set(except),
  })
  return [ids.join(''), total]
}

test('who needs somebody comes first, the rest in its order', () => {
  expect(pageOf()).toEqual(['czabd', 5])
})

test.each([1, 2, 3, 4, 5])('pages of %i make up the whole, once each', (size) => {
  const pages = Array.from({ length: 6 }, (_, index) => pageOf({ page: index + 1, size }))
  expect(pages.map(([ids]) => ids).join('')).toBe('czabd')
  expect(new Set(pages.map(([, total]) => total))).toEqual(new Set([5]))
})

test('a status and a search narrow it, with exact totals', () => {
  expect(pageOf({ status: statusOf.success })).toEqual(['abd', 3])
  expect(pageOf({ status: statusOf.deleting })).toEqual(['z', 1])
  expect(pageOf({ status: statusOf.syncing })).toEqual(['', 0])
  expect(pageOf({ only: ['b', 'z', 'x'] })).toEqual(['zb', 2])
  expect(pageOf({ only: ['b', 'c'], status: statusOf.success, size: 1, page: 2 })).toEqual(['', 1])
})

test('who is not shown is in no page and no total', () => {
  expect(pageOf({ except: ['c', 'a'] })).toEqual(['zbd', 3])
  expect(pageOf({ except: ['z'], status: statusOf.deleting })).toEqual(['', 0])
  expect(pageOf({ except: ['b'], only: ['b', 'z'] })).toEqual(['z', 1])
})
