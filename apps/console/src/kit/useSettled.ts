/** What is filled in, once it has stayed as it is for a moment: nothing is asked for at every key. */
import { useEffect, useState } from 'react'

/** Milliseconds. */
const PAUSE = 400

/** The text as it last stood still; undefined before it did for the first time. */
export function useSettled(text: string): string | undefined {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
