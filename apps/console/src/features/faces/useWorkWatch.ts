/** The watch on long work: its progress is read every second, and what it changes is read again when it has ended. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { WorkState } from '@gatehouse/contract/work'
import type { AnyCall } from '../../api/http.ts'
import { queriesOf, readAfter } from '../../api/query.ts'

const INTERVAL_MS = 1000

export const isUnderWay = (work: Pick<WorkState, 'state'> | null | undefined): boolean =>
  work?.state === 'waiting' || work?.state === 'running'

/** @param isBusy whether work is under way @param call reads its progress */
export function useWorkWatch(isBusy: boolean, call: AnyCall): void {
  const cache = useQueryClient()
  const wasBusy = useRef(false)
  // A slow answer is awaited and not requested again.
  const look = useEffectEvent(() => void cache.invalidateQueries(queriesOf(call), { cancelRefetch: false }))
  const finish = useEffectEvent(() => void readAfter(cache, call))
  useEffect(() => {
    if (wasBusy.current && !isBusy) finish()
    wasBusy.current = isBusy
    if (!isBusy) return
    const timer = setInterval(look, INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isBusy])
}
