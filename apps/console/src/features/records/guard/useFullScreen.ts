/** The browser's full screen: of all the page, so that questions and alarms are seen in it. */
import { useEffect, useState } from 'react'

export interface FullScreen {
  isFull: boolean
  toggle: () => void
}

const leave = (): void => {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
}

/** It ends with the page. */
export function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const changed = (): void => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      leave()
    }
  }, [])
  return {
    isFull,
    // A browser that does not allow it leaves the page as it is.
    toggle: () => (document.fullscreenElement ? leave() : void document.documentElement.requestFullscreen?.().catch(() => {})),
  }
}
