/** Access records as a list that grows at both ends: live at the top, older ones by cursor at the bottom. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import { readQuery, writeQuery } from '../../kit/list/address.ts'
import { useListSettings } from '../../kit/list/listSettings.ts'
import { useLive } from '../../api/live.ts'
import { changeCached } from '../../api/query.ts'
import type { Refusal } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { personalFilters, type List } from '../../kit/list/useList.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { useDoorChoices } from '../../shared/doorChoices.tsx'
import type { Filter } from '../../kit/list/FilterBar.tsx'
import { createFrameQueue, type Frame, type FrameQueue } from './frameQueue.ts'
import {
  firstPage,
  fits,
  joined,
  recordQuery,
  rowsOf,
  withEarlierHits,
  withRows,
  type RecordFeed,
  type RecordPage,
  type RecordQuery,
} from './recordFeed.ts'

const PAGE = 30
/** Maximum number of rows while they pile up at the top; beyond it the list starts again from its first page. */
const PILE = 60
/** More rows at once than this are not animated: highlighting each cell would take longer than showing it. */
const LIT = 5
/** Milliseconds between two reads of the list for rows left out of a frame. */
const REFRESH_MS = 500

export interface Records extends List<AccessRecord, RecordQuery> {
  /** Number of rows that arrived while the top was out of view. */
  waiting: number
  showWaiting: () => void
  /** Sets whether the top of the list is in view. */
  setAtTop: (atTop: boolean) => void
  /** Ids that arrived live. */
  arrived: ReadonlySet<string>
  /** The newest of all, shown or waiting. */
  latest: AccessRecord | undefined
  /** Loads the next older page; undefined where there is none. */
  older: (() => void) | undefined
  loadingOlder: boolean
}

export function useRecords({ name, fixed }: { name: string; fixed: Partial<RecordQuery> }): Records {
  const cache = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const settings = useListSettings(name)
  const query = readQuery(recordQuery, search)
  const effectiveQuery = { ...query, ...fixed }
  const queryKey = [recordCalls.find.area, 'feed', effectiveQuery]
  const feed = useInfiniteQuery<RecordPage, Refusal, RecordFeed, typeof queryKey, string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request(
        recordCalls.find,
        { body: { ...effectiveQuery, size: PAGE, after: pageParam } },
        { errors: 'inline', cancellable: true, signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
  })
  const [unseen, setUnseen] = useState<{ rows: AccessRecord[]; more: number }>({ rows: [], more: 0 })
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  const atTop = useRef(true)
  const rows = rowsOf(feed.data)
  const waitingRows = unseen.rows.filter((row) => fits(row, effectiveQuery))

  const feedQuery = { queryKey, exact: true }
  const refresh = useRefresh(REFRESH_MS)
  const change = (how: (now: RecordFeed) => RecordFeed): void => changeCached(cache, feedQuery, how)

  function takeIn(fresh: AccessRecord[], more: number): void {
    setArrived(new Set(fresh.length > LIT ? [] : fresh.map(({ id }) => id)))
    const pile = rows.length + fresh.length > PILE
    change((now) => (pile ? firstPage(withRows(now, fresh), Math.max(PAGE, fresh.length)) : withRows(now, fresh)))
    const shown = new Set(rowsOf(cache.getQueryData<RecordFeed>(queryKey)).map(({ id }) => id))
    // Rows that were not inserted have to be read from the server, which alone knows whether they are new to the count.
    if (more > 0 || pile || fresh.some(({ id }) => !shown.has(id))) refresh(feedQuery)
  }
  const showWaiting = (): void => {
    if (unseen.rows.length === 0 && unseen.more === 0) return
    setUnseen({ rows: [], more: 0 })
    takeIn(waitingRows, unseen.more)
  }

  const take = useFrameQueue(({ rows: sent, more }) => {
    const fitting = withEarlierHits(sent, [...rows, ...unseen.rows]).filter((row) => fits(row, effectiveQuery))
    if (atTop.current) return takeIn(fitting, more)
    const shown = new Set(rows.map(({ id }) => id))
    change((now) =>
      withRows(
        now,
        fitting.filter(({ id }) => shown.has(id)),
      ),
    )
    setUnseen((before) => ({
      rows: joined(
        before.rows,
        fitting.filter(({ id }) => !shown.has(id)),
      ).slice(0, PILE),
      more: before.more + more,
    }))
  })
  useLive(topics.accessRecord, ({ rows: sent, more = 0 }) => take({ rows: sent, more }), [feedQuery])
  useLive(topics.watchListHits, ({ rows: sent, more = 0 }) => take({ rows: sent, more }), [])

  return {
    query,
    setQuery: (part) =>
      setSearch((before) => withView(writeQuery(recordQuery, { ...readQuery(recordQuery, before), ...part }), before), { replace: true }),
    personal: personalFilters(recordCalls.find),
    filtered: writeQuery(recordQuery, query).size > 0,
    clear: () => setSearch((before) => withView(new URLSearchParams(), before), { replace: true }),
    rows,
    total: feed.data?.pages[0]?.total ?? 0,
    totalExact: feed.data?.pages[0]?.totalExact ?? true,
    pending: feed.isPending,
    refreshing: false,
    error: feed.error,
    retry: () => void feed.refetch(),
    selected: [],
    setSelected: () => {},
    settings,
    // All rows are one page: older ones are requested at the end of the list.
    tableProps: {
      dataSource: rows,
      rowKey: 'id',
      pagination: { pageSize: Math.max(rows.length, 1), hideOnSinglePage: true },
      onChange: () => {},
      size: settings.density === 'compact' ? 'small' : 'middle',
    },
    waiting: waitingRows.length + unseen.more,
    showWaiting,
    setAtTop: (now) => {
      atTop.current = now
      if (now) showWaiting()
    },
    arrived,
    latest: joined(rows.slice(0, 1), waitingRows)[0],
    older: feed.hasNextPage ? () => void feed.fetchNextPage() : undefined,
    loadingOlder: feed.isFetchingNextPage,
  }
}

/** Return the query with the view, table or cards, that the list has now: a change of a filter keeps it. */
function withView(next: URLSearchParams, before: URLSearchParams): URLSearchParams {
  const view = before.get('view')
  if (view) next.set('view', view)
  return next
}

/** Return a function that shows frames no faster than the page paints them, and none while the page is hidden. */
function useFrameQueue(show: (frame: Frame) => void): (frame: Frame) => void {
  const showLatest = useEffectEvent(show)
  const queue = useRef<FrameQueue>(undefined)
  useEffect(() => {
    const opened = (queue.current = createFrameQueue((frame) => showLatest(frame), PILE))
    return () => opened.stop()
  }, [])
  return (frame) => queue.current?.push(frame)
}

/** Return the filter of records by door; empty until the doors are loaded, and for users who may not see them. */
export function useDoorFilter(): Filter<RecordQuery>[] {
  const { t } = useTranslation('records')
  const doors = useDoorChoices()
  return doors === undefined ? [] : [{ field: 'deviceId', label: t('door'), options: doors }]
}
