/** Ends the terminal of a demo that was removed. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Terminal } from '@gatehouse/terminal'

const LOOK_EVERY_MS = 500

/** Return the same terminal with a `stop` that may be called again. */
export function stoppedOnce(terminal: Terminal): Terminal {
  let stopped: Promise<void> | undefined
  return { ...terminal, stop: () => (stopped ??= terminal.stop()) }
}

/** Stop a terminal once it knows that its device was deleted: by then it has erased the persons it stored. */
export async function letGo(terminal: Terminal, signal: AbortSignal): Promise<void> {
  while (terminal.state().link.kind !== 'removed') {
    if (signal.aborted) return
    await delay(LOOK_EVERY_MS)
  }
  await terminal.stop()
}
