/** Looks once a second how far long work is, and reads everything again when it has ended. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { WorkState } from '@gatehouse/contract/work'
import type { AnyCall } from '../../api/http.ts'

const PACE_MS = 1000

export const isUnderWay = (work: Pick<WorkState, 'state'> | null | undefined): boolean =>
  work?.state === 'waiting' || work?.state === 'running'

/** @param busy whether work is under way @param call which reads how far it is */
export function useWorkWatch(busy: boolean, call: AnyCall): void {
  const cache = useQueryClient()
  const wasBusy = useRef(false)
  const { url } = call
  useEffect(() => {
    if (wasBusy.current && !busy) void cache.invalidateQueries()
    wasBusy.current = busy
    if (!busy) return
    // A slow answer is waited for instead of being asked for again.
    const timer = setInterval(
      () => void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === url }, { cancelRefetch: false }),
      PACE_MS,
    )
    return () => clearInterval(timer)
  }, [busy, cache, url])
}
