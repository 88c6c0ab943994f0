/** Keeps the counts on screen current while devices are at work: reads again at most every two seconds. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { topics } from '@gatehouse/contract/realtime'
import { useLive } from '../../api/live.ts'
import { readAgain } from '../../api/query.ts'
import { SYNC_READS } from './syncCalls.ts'

const PACE_MS = 2000

/** @param busy whether something is on its way: reads again until it is not */
export function useSyncWatch(busy: boolean): void {
  const cache = useQueryClient()
  const last = useRef(0)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lookSoon = useCallback(() => {
    waiting.current ??= setTimeout(
      () => {
        waiting.current = undefined
        last.current = Date.now()
        for (const read of SYNC_READS) void readAgain(cache, read)
      },
      Math.max(0, last.current + PACE_MS - Date.now()),
    )
  }, [cache])
  // A hidden page reads nothing.
  useEffect(
    () => () => {
      clearTimeout(waiting.current)
      waiting.current = undefined
    },
    [],
  )
  useEffect(() => {
    if (!busy) return
    const timer = setInterval(lookSoon, PACE_MS)
    return () => clearInterval(timer)
  }, [busy, lookSoon])
  // A device has come back online, or reports that it holds more.
  useLive(topics.deviceStatus, lookSoon, SYNC_READS)
}
