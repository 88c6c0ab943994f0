/** A paged list: its state in the address, its rows from a contract call, its properties for antd's `<Table>`. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TableProps } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { LIST_OFFSET_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_OPTIONS, PAGE_START, type OutputOf, type Schema } from '@gatehouse/contract'
import { searchedFieldsOf } from '@gatehouse/contract/masking'
import { readQuery, writeQuery } from './address.ts'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { readOptions } from '../../api/query.ts'
import { listRequest, querySchemaOf } from './listRequest.ts'
import { useListSettings, type ListSettings } from './listSettings.ts'

interface Page<Row> {
  total: number
  totalExact?: boolean | undefined
  content: Row[]
  next?: string | undefined
}
/** A call that answers with a page of rows. `ListTable` identifies rows by `id`, and does not accept a list of rows without it. */
export type PageCall = AnyCall & { data: Schema<Page<object>> }
/** Filters that a list accepts: the query of a GET list, the body of a `find…List`. */
export type ListQuery<C extends AnyCall> = OutputOf<C['query']> extends undefined ? OutputOf<C['body']> : OutputOf<C['query']>
export type RowOf<C extends AnyCall> = C extends { data: Schema<Page<infer Row>> } ? Row : never

/** Page and order of the rows. */
export interface Arrangement {
  page?: number | undefined
  size?: number | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}

type Sorters = Parameters<NonNullable<TableProps<object>['onChange']>>[2]
/** The part of a table's sorter that a list reads. */
type Sorter = Pick<Exclude<Sorters, readonly unknown[]>, 'columnKey' | 'order'>

export interface List<Row, Query> {
  /** The present query, as in the address. */
  query: Query
  /** Changes part of the query; any change but of the page itself returns to the first page. */
  setQuery: (change: Partial<Query> | Arrangement) => void
  /** Filters that search personal data. A session that sees these masked finds whole values only. */
  personal: ReadonlySet<string>
  /** Whether anything but page and order is set. */
  filtered: boolean
  clear: () => void
  rows: Row[]
  total: number
  /** False: there are at least `total`. */
  totalExact: boolean
  /** No rows have arrived yet; a skeleton is shown. */
  pending: boolean
  /** Newer rows are being read; the old ones stay. */
  refreshing: boolean
  error: unknown
  retry: () => void
  selected: string[]
  setSelected: (ids: string[]) => void
  settings: ListSettings
  tableProps: Pick<TableProps<Row>, 'dataSource' | 'rowKey' | 'pagination' | 'size'> & {
    onChange: (
      pagination: { current?: number; pageSize?: number },
      filters: unknown,
      sorter: Sorter | Sorter[],
      extra: { action: 'paginate' | 'sort' | 'filter' },
    ) => void
  }
}

interface ListOptions<Query> {
  /** Name under which its columns and density are stored. */
  name: string
  /** Part of the query that the user cannot change. */
  fixed?: Partial<Query>
  /** Fields of the address that are not filters, such as a tab: they stay when filters are cleared. */
  always?: readonly (keyof Query & string)[]
}

/** Order and page select no rows. */
const NO_FILTER = ['page', 'size', 'sort', 'order']
const isFilter = ([name, value]: [string, unknown]): boolean => !NO_FILTER.includes(name) && value !== undefined && value !== ''

/** Return the filters of a call that search personal data. */
export const personalFilters = (call: AnyCall): ReadonlySet<string> =>
  new Set([...searchedFieldsOf(call.query).keys(), ...searchedFieldsOf(call.body).keys()])

export function useList<C extends PageCall>(
  call: C,
  { name, fixed, always = [] }: ListOptions<ListQuery<C>>,
): List<RowOf<C>, ListQuery<C>> {
  type Row = RowOf<C>
  type Query = ListQuery<C>
  const [search, setSearch] = useSearchParams()
  const settings = useListSettings(name)
  const [selected, setSelected] = useState<string[]>([])

  const schema = querySchemaOf(call)
  const request = listRequest(call, search, fixed)
  const query = request.query as Query
  const { page = PAGE_START, size = PAGE_SIZE_DEFAULT } = query as { page?: number; size?: number }

  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    ...readOptions(call, request.parts as PartsOf<C>),
    placeholderData: keepPreviousData,
  })
  const { content, total = 0, totalExact = true } = (data ?? { content: [] }) as Partial<Page<Row>> & { content: Row[] }

  const setQuery = (change: Partial<Query> | Arrangement): void => {
    setSelected([])
    setSearch((before) => writeQuery(schema, { ...(readQuery(schema, before) as object), page: PAGE_START, ...change }), { replace: true })
  }

  // The last row of the last page was deleted: show the page before.
  const lastPage = Math.max(PAGE_START, Math.ceil(total / size))
  const beyond = !isPlaceholderData && data !== undefined && content.length === 0 && page > lastPage
  useEffect(() => {
    if (beyond) setSearch((before) => writeQuery(schema, { ...(readQuery(schema, before) as object), page: lastPage }), { replace: true })
  }, [beyond, lastPage, schema, setSearch])

  const filters = Object.entries(query as object).filter((entry) => isFilter(entry) && !(always as readonly string[]).includes(entry[0]))

  return {
    query,
    setQuery,
    personal: personalFilters(call),
    filtered: filters.length > 0,
    clear: () => setQuery(Object.fromEntries(filters.map(([field]) => [field, undefined])) as Partial<Query>),
    rows: content,
    total,
    totalExact,
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
      size: settings.density === 'compact' ? 'small' : 'middle',
      pagination: {
        current: page,
        pageSize: size,
        total: Math.min(total, LIST_OFFSET_MAX),
        // The size is chosen from a menu: kit/list/PageSize.tsx.
        showSizeChanger: false,
        hideOnSinglePage: total <= PAGE_SIZE_OPTIONS[0],
      },
      onChange: (pagination, _filters, sorter, { action }) => {
        if (action === 'paginate') return setQuery({ page: pagination.current, size: pagination.pageSize })
        if (action !== 'sort' || Array.isArray(sorter)) return
        const order = sorter.order === 'ascend' ? 'asc' : 'desc'
        setQuery(sorter.order ? { sort: String(sorter.columnKey), order } : { sort: undefined, order: undefined })
      },
    },
  }
}
