/** Prevents an action from running twice at once, as on a double click: while one is running, another is ignored. */
import { useCallback, useRef } from 'react'

/**
 * Return a function that runs an action unless one is running: `const once = useOnce()`, then `once(() => copy.send({ body }))`.
 * Errors are ignored, since they have been shown already.
 */
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
