/** Whether a moment has passed; true from it on, without anybody asking. */
import { useEffect, useState } from 'react'

/** @param moment epoch milliseconds */
export function useAfter(moment: number): boolean {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(moment), Math.max(0, moment - Date.now()))
    return () => clearTimeout(timer)
  }, [moment])
  return passed === moment
}
