/** Whether the beginning of a list is in sight. */
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

/** Put the ref on an element at the list's beginning. */
export function useTop(tell: (inSight: boolean) => void): RefObject<HTMLDivElement | null> {
  const mark = useRef<HTMLDivElement>(null)
  const changed = useEffectEvent(tell)
  useEffect(() => {
    if (!mark.current) return
    const observer = new IntersectionObserver(([entry]) => entry && changed(entry.isIntersecting))
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  return mark
}
