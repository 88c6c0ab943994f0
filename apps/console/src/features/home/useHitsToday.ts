/** How often somebody of the watch list was found since the park's day began, for whoever sees that list; kept fresh by live frames. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../kit/live.ts'
import { readAgain, readOptions } from '../../kit/query.ts'
import { startOfDay, useZoneOffset } from '../../kit/time.ts'
import { useSeesWatchList } from '../../kit/watchList.ts'

export function useHitsToday(): { count: number; since: number } {
  const cache = useQueryClient()
  const { offset } = useZoneOffset()
  const since = startOfDay(Date.now(), offset)
  const options = readOptions(accessCalls.findRecords, { body: { watchList: true, startTime: since, size: 1 } })
  const held = { queryKey: options.queryKey, exact: true }
  const found = useQuery({ ...options, enabled: useSeesWatchList() })
  useLive(topics.watchListHits, () => void readAgain(cache, held), [held])
  return { count: found.data?.total ?? 0, since }
}
