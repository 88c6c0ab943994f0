/** The passage that waits for further inputs, up to an instant. */
import type { Awaiting } from './decision.ts'
import type { Shown } from './inputs.ts'
import type { Picture } from './recorder.ts'
import type { Verdict } from './verdict.ts'

export interface PendingPassage {
  shown: readonly Shown[]
  awaits: Awaiting
  picture: Picture | null
  verdict: Verdict
}

export interface Pending {
  /** Return the pending passage; null if there is none. */
  current(): PendingPassage | null
  /** Wait for the inputs of a passage, in place of those awaited before; null: for none. */
  set(next: PendingPassage | null): void
  /** Stop waiting. */
  stop(): void
  isStopped(): boolean
}

export interface PendingOptions {
  clock: () => number
  /** Called when something else is awaited, or nothing any more. */
  onAwaiting: (awaiting: Awaiting | null) => void
  /** Called when the awaited inputs did not arrive in time. */
  onTimeout: (due: PendingPassage) => void
}

export function createPending({ clock, onAwaiting, onTimeout }: PendingOptions): Pending {
  let current: PendingPassage | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  return {
    current: () => current,
    set(next) {
      clearTimeout(timer)
      const isOther = next !== null || current !== null
      current = next
      if (next && !isStopped) {
        timer = setTimeout(() => onTimeout(next), Math.max(0, next.awaits.until + 1 - clock()))
        timer.unref()
      }
      if (isOther) onAwaiting(next?.awaits ?? null)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
    isStopped: () => isStopped,
  }
}
