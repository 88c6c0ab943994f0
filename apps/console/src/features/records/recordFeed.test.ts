import { expect, test } from 'vitest'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { testingRecord as record } from '../../shared/testing/record.ts'
import { fits, firstPage, joined, rowsOf, withRows, type RecordFeed } from './recordFeed.ts'

const feed = (pages: AccessRecord[][], next?: string): RecordFeed => ({
  pages: pages.map((content, at) => ({
    total: 9,
    content,
    page: 1,
    size: 2,
    ...((at < pages.length - 1 || next) && { next: next ?? 'more' }),
  })),
  pageParams: pages.map((_, at) => (at === 0 ? undefined : 'more')),
})
const idsOf = (cached: RecordFeed): string[] => rowsOf(cached).map(({ id }) => id)

test('a new row stands at its time, on the page it belongs to', () => {
  const cached = feed([
    [record('e', 50), record('c', 30)],
    [record('b', 20), record('a', 10)],
  ])
  const after = withRows(cached, [record('f', 60), record('d', 40), record('a2', 15)])
  expect(after.pages.map(({ content }) => content.map(({ id }) => id))).toEqual([
    ['f', 'e', 'd', 'c'],
    ['b', 'a2', 'a'],
  ])
})

test('a row that comes again with its picture is replaced where it stands', () => {
  const after = withRows(feed([[record('b', 20), record('a', 10)]]), [record('a', 10, { captureThumbnail: '/a.webp' })])
  expect(idsOf(after)).toEqual(['b', 'a'])
  expect(rowsOf(after)[1]?.captureThumbnail).toBe('/a.webp')
  expect(after.pages[0]?.total).toBe(9)
})

test('an old row belongs to a page not yet read, unless there is none', () => {
  const old = [record('z', 1)]
  expect(idsOf(withRows(feed([[record('a', 10)]], 'more'), old))).toEqual(['a'])
  expect(withRows(feed([[record('a', 10)]], 'more'), [...old, record('b', 20)]).pages[0]?.total).toBe(10)
  expect(idsOf(withRows(feed([[record('a', 10)]]), old))).toEqual(['a', 'z'])
  expect(idsOf(withRows(feed([[]]), old))).toEqual(['z'])
})

test('rows that piled up are folded to the newest page', () => {
  expect(idsOf(firstPage(feed([[record('c', 30), record('b', 20)], [record('a', 10)]]), 1))).toEqual(['c'])
})

test('the later of two rows with the same id stands for both', () => {
  expect(joined([record('a', 10)], [record('b', 20), record('a', 10, { score: 1 })]).map(({ id, score }) => [id, score])).toEqual([
    ['b', 92],
    ['a', 1],
  ])
})

const watchList = {
  personId: 'm',
  personName: 'James Moriarty',
  groupName: '',
  score: 88,
  registeredImage: '',
  reason: '',
  instruction: '',
}

test('a row keeps the hit that is known of it: frames of records tell of none', () => {
  const cached = feed([[record('b', 20, { watchList }), record('a', 10)]])
  const after = withRows(cached, [record('b', 20, { captureThumbnail: '/b.webp' })])
  expect(rowsOf(after)[0]).toMatchObject({ captureThumbnail: '/b.webp', watchList: { personName: 'James Moriarty' } })
  expect(joined([record('a', 10)], [record('a', 10, { watchList })])[0]).toMatchObject({ watchList: { personId: 'm' } })
})

test('the filter of the watch list takes hits alone', () => {
  expect([fits(record('a', 10, { watchList }), { watchList: true }), fits(record('a', 10), { watchList: true })]).toEqual([true, false])
})

test('a row fits a filter as the server would say', () => {
  const stranger = record('s', 10, { personId: null, personName: '', result: 0, failReason: 904 })
  expect(fits(stranger, { stranger: true, result: 0 })).toBe(true)
  expect(fits(record('k', 10, { personId: null, failReason: 19 }), { stranger: true })).toBe(false)
  expect(fits(record('a', 10), { personName: 'lin' })).toBe(true)
  expect(fits(record('a', 10), { direction: 2 })).toBe(false)
  expect(fits(record('a', 10), { startTime: 11 })).toBe(false)
  expect(fits(record('a', 10), { endTime: 10, deviceId: 'd1' })).toBe(true)
})
