/** The pages of records a list holds, newest first, and how rows that arrive live find their place in them. */
import type { InfiniteData } from '@tanstack/react-query'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { accessRecordFilter, type AccessRecord, type recordCalls } from '@gatehouse/contract/records/calls'
import { isStranger } from '../../shared/stranger.ts'
import { isHit, withEarlierHit } from '../../shared/watchList.ts'

/** What can be asked for in the address; pages follow by cursor. */
export const recordQuery = accessRecordFilter.omit({ page: true, size: true, pageNo: true, pageSize: true, after: true })
export type RecordQuery = OutputOf<typeof recordQuery>
export type RecordPage = DataOf<typeof recordCalls.find>
export type RecordFeed = InfiniteData<RecordPage, string | undefined>

/** Whether the server would list a row under a filter. */
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

/** The order of the list: newest first. */
const newestFirst = (one: AccessRecord, other: AccessRecord): number => other.time - one.time || (other.id > one.id ? 1 : -1)

/** Rows as they came, each with the hit that is known of it. */
export function withEarlierHits(rows: readonly AccessRecord[], earlier: readonly AccessRecord[]): AccessRecord[] {
  const byId = new Map(earlier.map((row) => [row.id, row]))
  return rows.map((row) => withEarlierHit(row, byId.get(row.id)))
}

/** Rows by id, the later of two with the same id standing for both, newest first. */
export const joined = (rows: readonly AccessRecord[], later: readonly AccessRecord[]): AccessRecord[] =>
  [...new Map([...rows, ...withEarlierHits(later, rows)].map((row) => [row.id, row])).values()].sort(newestFirst)

/**
 * The feed with rows taken in: known ones replaced where they stand, new ones placed by time, those beyond the last
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

/** The newest page alone: what a list goes back to when rows have piled up above it. */
export const firstPage = (feed: RecordFeed, size: number): RecordFeed => ({
  pages: feed.pages.slice(0, 1).map((page) => ({ ...page, content: page.content.slice(0, size) })),
  pageParams: feed.pageParams.slice(0, 1),
})
