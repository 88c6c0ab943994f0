/** How long the camera keeps captures that the server has, as the server sets it. */
import type { TerminalStore } from '../store/store.ts'

export interface CaptureKeeping {
  /** Whether nobody is kept who matches no task: nothing of a capture reaches the disk. */
  isMatchedOnly(): boolean
  /** Delete what the server has and the camera may keep no longer. */
  forget(): void
  stop(): void
}

/** Milliseconds between two looks. */
const EVERY = 60_000
const HOUR = 3_600_000

export function createCaptureKeeping(store: Pick<TerminalStore, 'holdings' | 'forgetSent' | 'prune'>, clock: () => number): CaptureKeeping {
  const current = () => store.holdings.settings()?.configuration ?? null

  function forget(): void {
    const set = current()
    if (set === null || set.captureKeeping === 'standard') return
    store.forgetSent('capture', clock() - (set.captureKeeping === 'hours' ? set.captureHours * HOUR : 0))
  }

  const timer = setInterval(forget, EVERY)
  timer.unref()
  const pruning = setInterval(() => store.prune(), HOUR)
  pruning.unref()
  function stop(): void {
    clearInterval(timer)
    clearInterval(pruning)
  }
  return { isMatchedOnly: () => current()?.captureKeeping === 'matchedOnly', forget, stop }
}
