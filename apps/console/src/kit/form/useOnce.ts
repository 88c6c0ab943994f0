/** Keeps something from being done twice at once, as a double click would: while one is under way, another is passed over. */
import { useCallback, useRef } from 'react'

/** `const once = useOnce()`, then `once(() => copy.send({ body }))`. What goes wrong has been spoken of. */
export function useOnce(): (act: () => Promise<unknown>) => void {
  const busy = useRef(false)
  return useCallback((act) => {
    if (busy.current) return
    busy.current = true
    void act()
      .catch(() => {})
      .finally(() => {
        busy.current = false
      })
  }, [])
}
