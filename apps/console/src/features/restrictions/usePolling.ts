/** Polls calls while a page is open: persons enter and leave an area without any action in the console. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { AnyCall } from '../../api/http.ts'
import { queriesOf } from '../../api/query.ts'

/** Milliseconds. */
const PACE = 3_000

export function usePolling(calls: readonly AnyCall[]): void {
  const cache = useQueryClient()
  const read = useEffectEvent(() => {
    if (document.hidden) return
    // A request that is in progress is not cancelled.
    for (const call of calls) void cache.invalidateQueries(queriesOf(call), { cancelRefetch: false })
  })
  useEffect(() => {
    const timer = setInterval(read, PACE)
    return () => clearInterval(timer)
  }, [])
}
