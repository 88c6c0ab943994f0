/** The alarm that the address of a link names by its time. */
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'

/** Parameters of the address that are taken out of it once they were followed. */
const PARAMETERS = ['time', 'timestamp'] as const

/**
 * Return the time, in epoch milliseconds, that the link which led here names; it is taken out of the address, so that a page that the
 * user returns to opens nothing.
 */
export function useLedTime(): { time: number | undefined; forget: () => void } {
  const [search, setSearch] = useSearchParams()
  const [time, setTime] = useState<number>()
  const led = search.get('time')
  const follow = useEffectEvent((text: string): void => {
    const named = Number(text)
    setTime(Number.isSafeInteger(named) && named > 0 ? named : undefined)
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const parameter of PARAMETERS) next.delete(parameter)
        return next
      },
      { replace: true },
    )
  })
  useEffect(() => {
    if (led !== null) follow(led)
  }, [led])
  return { time, forget: () => setTime(undefined) }
}
