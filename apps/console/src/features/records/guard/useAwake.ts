/** Keeps the screen of this machine from going dark while the page is in sight, where the browser can. */
import { useEffect } from 'react'

export function useAwake(): void {
  useEffect(() => {
    let isLeft = false
    let lock: WakeLockSentinel | undefined
    // The browser lets go of it whenever the page is out of sight.
    const hold = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      // Absent over plain http from another machine, whatever the types say; refused by a machine that runs out of power.
      const held = await (navigator.wakeLock as WakeLock | undefined)?.request('screen').catch(() => undefined)
      if (isLeft) void held?.release()
      else lock = held
    }
    const look = (): void => void hold()
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      isLeft = true
      document.removeEventListener('visibilitychange', look)
      void lock?.release()
    }
  }, [])
}
