/** Keeps the doors on screen as they are; once on a page. */
import { useQueryClient } from '@tanstack/react-query'
import { doorCalls, type DoorNow } from '@gatehouse/contract/doors/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../kit/live.ts'

export function useDoorsLive(): void {
  const cache = useQueryClient()
  useLive(topics.doors, ({ rows, more }) => {
    const { method, url } = doorCalls.states
    // Rows left out of a frame are read again.
    if (more) void cache.invalidateQueries({ queryKey: [method, url] })
    const moved = new Set(rows.map(({ deviceId }) => deviceId))
    cache.setQueriesData<DoorNow[]>(
      { queryKey: [method, url] },
      (known) => known && [...known.filter(({ deviceId }) => !moved.has(deviceId)), ...rows],
    )
    void cache.invalidateQueries({ queryKey: [doorCalls.requests.method, doorCalls.requests.url] }, { cancelRefetch: false })
  })
}
