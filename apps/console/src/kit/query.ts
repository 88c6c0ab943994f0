/** The cache of read calls. */
import { QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { AnswerOf, AnyCall, PartsOf } from './http.ts'
import { Refusal } from './refusal.ts'
import { request } from './request.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // One more try for a server that did not answer; a refusal stays a refusal.
      retry: (failures, error) =>
        failures < 1 && error instanceof Refusal && (error.status === 0 || error.status >= 500) && !error.cancelled,
    },
  },
})

/** Key and function of a read call. Its refusal is shown where the data would stand, not as a toast. */
export const readOptions = <C extends AnyCall>(call: C, parts: PartsOf<C>) =>
  queryOptions<AnswerOf<C>, Refusal>({
    queryKey: [call.method, call.url, parts],
    queryFn: ({ signal }) =>
      request<AnyCall>(call, parts as PartsOf<AnyCall>, { errors: 'inline', cancellable: true, signal }) as Promise<AnswerOf<C>>,
  })

/** Reads a call: `const person = useRead(peopleCalls.read, { query: { id } })`. `enabled: false` waits. */
export function useRead<C extends AnyCall>(
  call: C,
  parts: PartsOf<C>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<AnswerOf<C>, Refusal> {
  return useQuery({ ...readOptions(call, parts), enabled })
}
