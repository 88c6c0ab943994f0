/** The doors as they are now: kept so while they are on screen, and what is known of one of them. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { doorCalls, type DoorNow } from '@gatehouse/contract/doors/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { DoorState } from '@gatehouse/contract/doors/state'
import { useLive } from '../../api/live.ts'
import { changeHeld, heldOf, readAgain, useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'

/** Keeps the doors on screen as they are; once on a page. */
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

export interface DoorHere {
  /** Undefined until it is known, and while the door is simply closed. */
  state: DoorState | undefined
  /** Name of somebody else who controls it now. */
  heldBy: string | undefined
}

/**
 * What is known of a door: its state, and who else holds its remote control.
 * All doors of the park that are not simply closed are read at once, whichever are shown.
 */
export function useDoorNow(deviceId: string): DoorHere {
  const { data } = useRead(doorCalls.states, { query: {} })
  const own = useSession(({ profile }) => profile?.id)
  const known = data?.find((door) => door.deviceId === deviceId)
  const until = known?.heldUntil ?? 0
  const isHeld = useBefore(until)
  const other = known?.heldBy && known.heldBy.id !== own && isHeld ? known.heldBy.name : undefined
  return { state: known?.state, heldBy: other }
}

/** Whether a moment is still to come; false from it on, without anybody asking. */
function useBefore(moment: number): boolean {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(moment), Math.max(0, moment - Date.now()))
    return () => clearTimeout(timer)
  }, [moment])
  return moment > 0 && passed !== moment
}
