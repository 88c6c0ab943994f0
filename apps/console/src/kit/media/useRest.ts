/** A moment between two pictures: of one and the same moment they would tell no more than one. */
import { useEffect, useState } from 'react'

/** Milliseconds. */
const REST_MS = 1_500

/** @returns whether the moment is over, and what begins the next */
export function useRest(): { rested: boolean; tire: () => void } {
  const [tired, setTired] = useState(0)
  const [restedFrom, setRestedFrom] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setRestedFrom(tired), REST_MS)
    return () => clearTimeout(timer)
  }, [tired])
  return { rested: restedFrom === tired, tire: () => setTired((before) => before + 1) }
}
