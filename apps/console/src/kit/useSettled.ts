/** Typed text, once it has not changed for a moment, so that not every key causes a request. */
import { useEffect, useState } from 'react'

/** Milliseconds. */
const PAUSE = 400

/** Return the text as it was at the last pause; undefined before the first one. */
export function useSettled(text: string): string | undefined {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
