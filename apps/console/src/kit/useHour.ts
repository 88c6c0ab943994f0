/** The hour of the park's day. */
import { useEffect, useState } from 'react'
import { useZoneOffset } from './time.ts'

const MINUTE = 60_000

/** Return the hour of a day with its fraction, 0 to 24. @param now milliseconds @param offset minutes east of UTC */
export const hourOfDay = (now: number, offset: number): number => ((((now / MINUTE + offset) % 1440) + 1440) % 1440) / 60

/** Return the present hour with its fraction, updated each minute. */
export function useHour(): number {
  const { offset } = useZoneOffset()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return hourOfDay(now, offset)
}
