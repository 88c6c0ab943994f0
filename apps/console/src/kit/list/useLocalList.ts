/** A paged list inside a dialog, a drawer or a section: like `useList`, but its state ends with it and is not in the address. */
import { useState } from 'react'
import { PAGE_SIZE_OPTIONS, PAGE_START, type Schema } from '@gatehouse/contract'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { listPartsOf } from './listRequest.ts'
import { useListSettings } from './listSettings.ts'
import { useRead } from '../../api/query.ts'
import { personalFilters, type Arrangement, type List, type ListQuery, type RowOf } from './useList.ts'

type PageCall = AnyCall & { data: Schema<{ total: number; content: { id: string }[] }> }
interface Paging {
  page: number
  size: number
}

const NONE: ReadonlySet<string> = new Set()

/** The query of a list, and how it is changed. */
interface LocalQuery<Query> {
  query: Query & Paging
  /** Changes the filters and shows the first page. */
  change: (change: Partial<Query> | Arrangement) => void
  turn: (paging: Partial<Paging>) => void
}

/** @param initial filter that is set first @param size rows of a page */
export function useLocalQuery<Query>(initial: Query, size: number = PAGE_SIZE_OPTIONS[0]): LocalQuery<Query> {
  const [query, setQuery] = useState<Query & Paging>({ page: PAGE_START, size, ...initial })
  return {
    query,
    change: (change) => setQuery((before) => ({ ...before, page: PAGE_START, ...change })),
    turn: (paging) => setQuery((before) => ({ ...before, ...paging })),
  }
}

/** The part of a query's result that a list shows. */
interface Answered {
  data: unknown
  error: Error | null
  isPending: boolean
  isFetching: boolean
  refetch: () => unknown
}

/**
 * Return a list of any answer, whatever call it came from.
 * @param name under which its columns are stored @param always fields that are not filters, and stay when filters are cleared
 * @param call whose filters they are
 */
export function useListOf<Row extends object, Query>(
  name: string,
  { query, change, turn }: LocalQuery<Query>,
  { data, error, isPending, isFetching, refetch }: Answered,
  always: readonly (keyof Query)[] = [],
  call?: AnyCall,
): List<Row, Query> {
  const settings = useListSettings(name)
  const [selected, setSelected] = useState<string[]>([])
  const { content = [], total = 0 } = (data ?? {}) as { content?: Row[]; total?: number }
  const besides = new Set<PropertyKey>(['page', 'size', ...always])
  const filters = Object.entries(query as object).filter(([field, value]) => !besides.has(field) && value !== undefined)
  return {
    query,
    setQuery: change,
    personal: call === undefined ? NONE : personalFilters(call),
    filtered: filters.length > 0,
    clear: () => change(Object.fromEntries(filters.map(([field]) => [field, undefined])) as Partial<Query>),
    rows: content,
    total,
    totalExact: true,
    pending: isPending,
    refreshing: isFetching && !isPending,
    error,
    retry: () => void refetch(),
    selected,
    setSelected,
    settings,
    tableProps: {
      dataSource: content,
      rowKey: 'id',
      size: 'small',
      pagination: {
        current: query.page,
        pageSize: query.size,
        total,
        showSizeChanger: false,
        hideOnSinglePage: total <= PAGE_SIZE_OPTIONS[0],
      },
      onChange: ({ current = PAGE_START, pageSize = query.size }) => turn({ page: current, size: pageSize }),
    },
  }
}

interface LocalListOptions<Query> {
  /** Name under which its columns are stored. */
  name: string
  /** Part of the query that the user cannot change. */
  fixed?: Partial<Query>
  /** Rows of a page. */
  size?: number
}

/** @param call a list */
export function useLocalList<C extends PageCall>(
  call: C,
  { name, fixed, size }: LocalListOptions<ListQuery<C>>,
): List<RowOf<C>, ListQuery<C>> {
  const state = useLocalQuery({} as ListQuery<C>, size)
  const answer = useRead(call, listPartsOf(call, { ...state.query, ...fixed }) as PartsOf<C>)
  return useListOf<RowOf<C>, ListQuery<C>>(name, state, answer, [], call)
}
