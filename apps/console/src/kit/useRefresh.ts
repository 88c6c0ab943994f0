/** Has a call read again because something happened; many requests in a short time become one. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { AnyCall } from '../api/http.ts'
import { heldOf, readAgain } from '../api/query.ts'

/** @param everyMs a call is read again at most this often */
export function useRefresh(everyMs: number): (call: AnyCall) => void {
  const cache = useQueryClient()
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const waiting = timers.current
    return () => waiting.forEach((timer) => clearTimeout(timer))
  }, [])
  return (call) => {
    if (timers.current.has(call.url)) return
    const read = (): void => {
      timers.current.delete(call.url)
      void readAgain(cache, heldOf(call))
    }
    timers.current.set(call.url, setTimeout(read, everyMs))
  }
}
