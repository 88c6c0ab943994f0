/** Addresses of the pages, `/console/PATH`, and navigation between them without reloading. */
import { useEffect, useState } from 'preact/hooks'

export const currentPath = (): string => location.pathname.replace(/^\/console\/?/, '')

export function go(path: string): void {
  history.pushState(null, '', `/console/${path}`)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Return the visited page and the number of visits before it: a page that is visited again starts afresh. */
export function useVisit(): { path: string; number: number } {
  const [visit, setVisit] = useState({ path: currentPath(), number: 0 })
  useEffect(() => {
    const visitCurrent = () => setVisit((before) => ({ path: currentPath(), number: before.number + 1 }))
    addEventListener('popstate', visitCurrent)
    return () => removeEventListener('popstate', visitCurrent)
  }, [])
  return visit
}
