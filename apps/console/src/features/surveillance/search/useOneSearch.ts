/** Read a call that is a search of its own: each is written to the log of reads, so that only the user repeats it. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { AnswerOf, AnyCall, PartsOf } from '../../../api/http.ts'
import { readOptions } from '../../../api/query.ts'
import type { Refusal } from '../../../api/refusal.ts'

/**
 * Search, and keep the answer: neither a change elsewhere nor the return to a view searches again.
 * @param startedAt when the user started it: the same search started later is another one. Epoch milliseconds
 */
export function useOneSearch<C extends AnyCall>(
  call: C,
  parts: PartsOf<C>,
  { startedAt = 0, enabled = true }: { startedAt?: number; enabled?: boolean } = {},
): UseQueryResult<AnswerOf<C>, Refusal> {
  const { queryKey, queryFn } = readOptions(call, parts)
  return useQuery({ queryKey: [...queryKey, startedAt], queryFn, staleTime: 'static', retry: false, enabled })
}
