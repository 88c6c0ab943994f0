/** The cache of read calls. */
import { hashKey, QueryClient, queryOptions, useQuery, type Query, type QueryKey, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { isAffected } from './affected.ts'
import type { AnswerOf, AnyCall, PartsOf } from './http.ts'
import { Refusal } from './refusal.ts'
import { request } from './request.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // One more try where the server did not answer or failed; a refusal is final.
      retry: (failures, error) =>
        failures < 1 && error instanceof Refusal && (error.status === 0 || error.status >= 500) && !error.cancelled,
    },
  },
})

/**
 * Return the key and the function of a read call. The key begins with the call's area (`affected.ts`). A refusal is shown in place of the
 * data, not as a toast.
 */
export const readOptions = <C extends AnyCall>(call: C, parts: PartsOf<C>) =>
  queryOptions<AnswerOf<C>, Refusal>({
    queryKey: [call.area, call.method, call.url, parts],
    queryFn: ({ signal }) =>
      request<AnyCall>(call, parts as PartsOf<AnyCall>, { errors: 'inline', cancellable: true, signal }) as Promise<AnswerOf<C>>,
  })

/** Queries under a key, or the one of exactly that key. */
export interface CachedQueries {
  queryKey: QueryKey
  exact?: boolean
}

/** Return the queries of a call, with whichever parameters. */
export const queriesOf = ({ area, method, url }: Pick<AnyCall, 'area' | 'method' | 'url'>): CachedQueries => ({
  queryKey: [area, method, url],
})

/**
 * Change cached answers, and the answer of each read in progress when it arrives: the server may have sent it before the change.
 * @param change idempotent
 */
export function changeCached<T>(cache: QueryClient, queries: CachedQueries, change: (data: T) => T): void {
  for (const query of cache.getQueryCache().findAll(queries)) {
    const make = (): void => void cache.setQueryData<T>(query.queryKey, (data) => data && change(data))
    make()
    // A read in progress is not started again, only waited for; a failed one changes nothing.
    if (query.state.fetchStatus === 'fetching') query.fetch().then(make, () => {})
  }
}

/** Read queries again once the reads in progress have ended: the server may have answered them before the change. */
export async function readAgain(cache: QueryClient, queries: CachedQueries): Promise<void> {
  const underWay = cache.getQueryCache().findAll({ ...queries, fetchStatus: 'fetching' })
  await Promise.allSettled(underWay.map((query) => query.fetch()))
  await cache.invalidateQueries(queries, { cancelRefetch: false })
}

/**
 * Read again what a call may have changed: what is visible at once, hidden pages when they are shown again.
 * Resolve when what is visible has been read.
 */
export function readAfter(cache: QueryClient, { area: changed }: Pick<AnyCall, 'area'>): Promise<void> {
  const predicate = ({ queryKey: [area] }: Pick<Query, 'queryKey'>): boolean => isAffected(String(area), changed)
  // A list that is read ahead of its page has no observer, so it is not read again: its answer may be older than the change.
  const early = cache.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })
  for (const query of early.filter((one) => one.getObserversCount() === 0))
    void query.fetch().then(
      () => cache.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      () => {},
    )
  return cache.invalidateQueries({ predicate })
}

/** Read a call: `const person = useRead(peopleCalls.read, { query: { id } })`. With `enabled: false` nothing is requested. */
export function useRead<C extends AnyCall>(
  call: C,
  parts: PartsOf<C>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<AnswerOf<C>, Refusal> {
  return useQuery({ ...readOptions(call, parts), enabled })
}

/**
 * Read the values a form starts with: requested again when the form opens, and not changed after that. A cached answer may be
 * older than a change by another user, and values older than the version they are saved with would undo that change.
 */
export function useReadOnce<C extends AnyCall>(call: C, parts: PartsOf<C>): UseQueryResult<AnswerOf<C>, Refusal> {
  const options = readOptions(call, parts)
  const query = useQuery({ ...options, refetchOnMount: 'always' })
  const of = hashKey(options.queryKey)
  const [snapshot, setSnapshot] = useState<{ of: string; data: AnswerOf<C> }>()
  if (snapshot?.of !== of && query.isFetchedAfterMount && query.isSuccess && !query.isFetching) setSnapshot({ of, data: query.data })
  return { ...query, data: snapshot?.of === of ? snapshot.data : undefined } as UseQueryResult<AnswerOf<C>, Refusal>
}
