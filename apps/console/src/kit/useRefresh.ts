/** Has a call read again because something happened; many requests in a short time become one. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AnyCall } from './http.ts'

/** @param everyMs a call is read again at most this often */
export function useRefresh(everyMs: number): (call: AnyCall) => void {
  const cache = useQueryClient()
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const waiting = timers.current
    return () => waiting.forEach((timer) => clearTimeout(timer))
  }, [])
  return ({ method, url }) => {
    if (timers.current.has(url)) return
    const read = (): void => {
      timers.current.delete(url)
      // One that is under way is let finish: frames may come faster than answers.
      void cache.invalidateQueries({ queryKey: [method, url] }, { cancelRefetch: false })
    }
    timers.current.set(url, setTimeout(read, everyMs))
  }
}
