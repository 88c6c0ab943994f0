/** Keeps the doors on screen as they are; once on a page. */
import { useQueryClient } from '@tanstack/react-query'
import { doorCalls, type DoorNow } from '@gatehouse/contract/doors/calls'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../api/live.ts'
import { changeHeld, heldOf, readAgain } from '../../api/query.ts'

export function useDoorsLive(): void {
  const cache = useQueryClient()
  const states = heldOf(doorCalls.states)
  const requests = heldOf(doorCalls.requests)
  useLive(
    topics.doors,
    ({ rows, more }) => {
      // Rows left out of a frame are read again.
      if (more) void readAgain(cache, states)
      const moved = new Set(rows.map(({ deviceId }) => deviceId))
      changeHeld<DoorNow[]>(cache, states, (known) => [...known.filter(({ deviceId }) => !moved.has(deviceId)), ...rows])
      void readAgain(cache, requests)
    },
    [states, requests],
  )
}
