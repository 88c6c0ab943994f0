/** The loaded pages of records, newest first, and where rows that arrive live are inserted. */
import type { InfiniteData } from '@tanstack/react-query'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { accessRecordFilter, type AccessRecord, type recordCalls } from '@gatehouse/contract/records/calls'
import { isStranger } from '../../shared/stranger.ts'
import { isHit, withEarlierHit } from '../../shared/watchList.ts'

/** Filters that the address may hold; pages follow by cursor. */
export const recordQuery = accessRecordFilter.omit({ page: true, size: true, pageNo: true, pageSize: true, after: true })
export type RecordQuery = OutputOf<typeof recordQuery>
export type RecordPage = DataOf<typeof recordCalls.find>
export type RecordFeed = InfiniteData<RecordPage, string | undefined>

/** Return whether the server would list a row under a filter. */
export function fits(row: AccessRecord, query: RecordQuery): boolean {
  const { startTime = 0, endTime = Infinity, personName = '', stranger, watchList } = query
  const same = (['personId', 'deviceId', 'direction', 'result', 'failReason'] as const).every(
    (field) => query[field] === undefined || query[field] === row[field],
  )
  const named = row.personName.toLowerCase().includes(personName.toLowerCase())
  const inTime = row.time >= startTime && row.time <= endTime
  return same && named && inTime && (stranger === undefined || stranger === isStranger(row)) && (watchList === undefined || isHit(row))
}

export const rowsOf = (feed: RecordFeed | undefined): AccessRecord[] => feed?.pages.flatMap(({ content }) => content) ?? []

/** Compare by the order of the list: newest first. */
const newestFirst = (one: AccessRecord, other: AccessRecord): number => other.time - one.time || (other.id > one.id ? 1 : -1)

/** Return the rows, each with the hit that an earlier version of it had. */
export function withEarlierHits(rows: readonly AccessRecord[], earlier: readonly AccessRecord[]): AccessRecord[] {
  const byId = new Map(earlier.map((row) => [row.id, row]))
  return rows.map((row) => withEarlierHit(row, byId.get(row.id)))
}

/** Return the rows of both lists, newest first; of two with the same id the later one. */
export const joined = (rows: readonly AccessRecord[], later: readonly AccessRecord[]): AccessRecord[] =>
  [...new Map([...rows, ...withEarlierHits(later, rows)].map((row) => [row.id, row])).values()].sort(newestFirst)

/**
 * Return the feed with rows added: existing ones replaced in place, new ones inserted by time, those beyond the last
 * page left out and not counted.
 */
export function withRows(feed: RecordFeed, rows: readonly AccessRecord[]): RecordFeed {
  const existingIds = new Set(rowsOf(feed).map(({ id }) => id))
  const added = rows.filter(({ id }) => !existingIds.has(id))
  const last = feed.pages.length - 1
  let rest = added
  const pages = feed.pages.map((page, at) => {
    const end = page.content.at(-1)
    const complete = at === last && page.next === undefined
    const own = rest.filter((row) => complete || (end !== undefined && newestFirst(row, end) < 0))
    rest = rest.filter((row) => !own.includes(row))
    const kept = new Set(page.content.map(({ id }) => id))
    return { ...page, content: joined(page.content, [...rows.filter(({ id }) => kept.has(id)), ...own]) }
  })
  const placed = added.length - rest.length
  return { ...feed, pages: pages.map((page) => ({ ...page, total: page.total + placed })) }
}

/** Return the newest page alone, to which a list returns when rows have piled up above it. */
export const firstPage = (feed: RecordFeed, size: number): RecordFeed => ({
  pages: feed.pages.slice(0, 1).map((page) => ({ ...page, content: page.content.slice(0, size) })),
  pageParams: feed.pageParams.slice(0, 1),
})
