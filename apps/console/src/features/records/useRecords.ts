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
import { changeHeld, readAgain } from '../../api/query.ts'
import type { Refusal } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { personalFilters, type List } from '../../kit/list/useList.ts'
import { useDoorChoices } from '../../shared/doorChoices.tsx'
import type { Filter } from '../../kit/list/FilterBar.tsx'
import {
  firstPage,
  fits,
  joined,
  recordQuery,
  rowsOf,
  withKnownHits,
  withRows,
  type RecordFeed,
  type RecordPage,
  type RecordQuery,
} from './recordFeed.ts'

const PAGE = 30
/** Rows shown at most while they pile up at the top; beyond them the list starts afresh. */
const PILE = 60
/** More rows than so many at once are not made to slide in: lighting each cell would take more than showing it. */
const LIT = 5
/** The list is read again for rows left out of a frame at most once in so many milliseconds. */
const READ_AGAIN = 500

export interface Records extends List<AccessRecord, RecordQuery> {
  /** Rows that came while the top was out of sight. */
  waiting: number
  showWaiting: () => void
  /** Tells whether the top of the list is in sight. */
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
  const asked = { ...query, ...fixed }
  const queryKey = [recordCalls.find.url, asked]
  const feed = useInfiniteQuery<RecordPage, Refusal, RecordFeed, typeof queryKey, string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request(recordCalls.find, { body: { ...asked, size: PAGE, after: pageParam } }, { errors: 'inline', cancellable: true, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
  })
  const [unseen, setUnseen] = useState<{ rows: AccessRecord[]; more: number }>({ rows: [], more: 0 })
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  const atTop = useRef(true)
  const rows = rowsOf(feed.data)
  const waitingRows = unseen.rows.filter((row) => fits(row, asked))

  const held = { queryKey, exact: true }
  const reload = useReload(() => void readAgain(cache, held))
  const change = (how: (now: RecordFeed) => RecordFeed): void => changeHeld(cache, held, how)

  function takeIn(fresh: AccessRecord[], more: number): void {
    setArrived(new Set(fresh.length > LIT ? [] : fresh.map(({ id }) => id)))
    const pile = rows.length + fresh.length > PILE
    change((now) => (pile ? firstPage(withRows(now, fresh), Math.max(PAGE, fresh.length)) : withRows(now, fresh)))
    const shown = new Set(rowsOf(cache.getQueryData<RecordFeed>(queryKey)).map(({ id }) => id))
    // Rows that stand nowhere yet are known to the server alone: whether they are new to the count, too.
    if (more > 0 || pile || fresh.some(({ id }) => !shown.has(id))) reload()
  }
  const showWaiting = (): void => {
    if (unseen.rows.length === 0 && unseen.more === 0) return
    setUnseen({ rows: [], more: 0 })
    takeIn(waitingRows, unseen.more)
  }

  const take = useTogether(({ rows: sent, more }) => {
    const fitting = withKnownHits(sent, [...rows, ...unseen.rows]).filter((row) => fits(row, asked))
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
  useLive(topics.accessRecord, ({ rows: sent, more = 0 }) => take({ rows: sent, more }), [held])
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
    // One page of all rows: older ones are asked for at the end of the list.
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

/** Changing a filter keeps how the list is looked at. */
function withView(next: URLSearchParams, before: URLSearchParams): URLSearchParams {
  const view = before.get('view')
  if (view) next.set('view', view)
  return next
}

/** The same, but only once in a while, however often it is asked for. */
function useReload(read: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const run = useEffectEvent(read)
  const due = useRef(() => {})
  useEffect(() => {
    due.current = () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        run()
      }, READ_AGAIN)
    }
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
  return () => due.current()
}

interface Frame {
  rows: AccessRecord[]
  more: number
}

/** Shows a frame at once; those that come before the page has painted it are shown together, so that none waits for all before it. */
function useTogether(show: (frame: Frame) => void): (frame: Frame) => void {
  const run = useEffectEvent(show)
  const take = useRef((_: Frame) => {})
  useEffect(() => {
    let waiting: Frame | undefined
    let left = false
    take.current = (frame) => {
      if (left) return
      if (waiting) {
        const rows = joined(waiting.rows, frame.rows)
        waiting = { rows: rows.slice(0, PILE), more: waiting.more + frame.more + Math.max(0, rows.length - PILE) }
        return
      }
      waiting = { rows: [], more: 0 }
      run(frame)
      requestAnimationFrame(() => setTimeout(showNext))
    }
    function showNext(): void {
      const next = waiting
      waiting = undefined
      if (next && (next.rows.length > 0 || next.more > 0)) take.current(next)
    }
    return () => {
      left = true
    }
  }, [])
  return (frame) => take.current(frame)
}

/**
 * The filter of records by door.
 * Doors to choose from, for those who may see them.
 */
export function useDoorFilter(): Filter<RecordQuery>[] {
  const { t } = useTranslation('records')
  const doors = useDoorChoices()
  return doors === undefined ? [] : [{ field: 'deviceId', label: t('door'), options: doors }]
}
