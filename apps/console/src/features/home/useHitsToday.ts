/** Those of the watch list found since the park's day began, for whoever sees that list; kept fresh by live frames. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { AnswerOf } from '../../api/http.ts'
import { useLive } from '../../api/live.ts'
import { readAgain, readOptions } from '../../api/query.ts'
import { useSeesWatchList } from '../../shared/watchList.ts'

/** As many are shown as alarms. */
const SHOWN = 4

/** @param since when the day began, in epoch milliseconds */
export function useHitsToday(since: number): UseQueryResult<AnswerOf<typeof recordCalls.find>> {
  const cache = useQueryClient()
  const options = readOptions(recordCalls.find, { body: { watchList: true, startTime: since, size: SHOWN } })
  const held = { queryKey: options.queryKey, exact: true }
  useLive(topics.watchListHits, () => void readAgain(cache, held), [held])
  return useQuery({ ...options, enabled: useSeesWatchList() })
}
