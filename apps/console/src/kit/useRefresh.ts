/** Reads answers again after an event; many requests in a short time become one. */
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { readAgain, type CachedQueries } from '../api/query.ts'

/** @param everyMs the same query is read again at most this often */
export function useRefresh(everyMs: number): (queries: CachedQueries) => void {
  const cache = useQueryClient()
  /** Timers by the key of the query to be read. */
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const waiting = timers.current
    return () => {
      for (const timer of waiting.values()) clearTimeout(timer)
      // A page that is shown again starts without timers: otherwise it would wait for one that was cleared.
      waiting.clear()
    }
  }, [])
  return (queries) => {
    const key = hashKey(queries.queryKey)
    if (timers.current.has(key)) return
    const read = (): void => {
      timers.current.delete(key)
      void readAgain(cache, queries)
    }
    timers.current.set(key, setTimeout(read, everyMs))
  }
}
