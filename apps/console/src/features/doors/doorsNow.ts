/** The current states of doors: all of them kept live, and one of them. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { doorCalls, type DoorNow } from '@gatehouse/contract/doors/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { DoorState } from '@gatehouse/contract/doors/state'
import { useLive } from '../../api/live.ts'
import { changeCached, queriesOf, readAgain, useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'

/** Keep the states of the doors on screen live; used once on a page. */
export function useDoorsLive(): void {
  const cache = useQueryClient()
  const states = queriesOf(doorCalls.states)
  const requests = queriesOf(doorCalls.requests)
  useLive(
    topics.doors,
    ({ rows, more }) => {
      // Rows that are left out of a frame are read again.
      if (more) void readAgain(cache, states)
      const moved = new Set(rows.map(({ deviceId }) => deviceId))
      changeCached<DoorNow[]>(cache, states, (cached) => [...cached.filter(({ deviceId }) => !moved.has(deviceId)), ...rows])
      void readAgain(cache, requests)
    },
    [states, requests],
  )
}

export interface DoorHere {
  /** Undefined until it has been read, and while the door is simply closed. */
  state: DoorState | undefined
  /** Name of another user who controls the door now. */
  controlledBy: string | undefined
}

/**
 * Return the state of a door, and the other user who controls it.
 * All doors of the park that are not simply closed are read with one call, whichever are shown.
 */
export function useDoorNow(deviceId: string): DoorHere {
  const { data } = useRead(doorCalls.states, { query: {} })
  const ownId = useSession(({ profile }) => profile?.id)
  const current = data?.find((door) => door.deviceId === deviceId)
  const until = current?.heldUntil ?? 0
  const isControlled = useBefore(until)
  const controller = current?.heldBy && current.heldBy.id !== ownId && isControlled ? current.heldBy.name : undefined
  return { state: current?.state, controlledBy: controller }
}

/** Return whether a moment is in the future; the component renders again when the moment has come. */
function useBefore(moment: number): boolean {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(moment), Math.max(0, moment - Date.now()))
    return () => clearTimeout(timer)
  }, [moment])
  return moment > 0 && passed !== moment
}
