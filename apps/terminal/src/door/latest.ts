/** One movement of a lock at a time: the latest word counts, what it overtakes is broken off first. */

/**
 * @param run carries a movement out; it must end soon after `signal` says so
 * @returns starts a movement. It rejects like `run`, and when a later one overtook it
 */
export function latestOnly<Movement>(
  run: (movement: Movement, signal: AbortSignal) => Promise<void>,
): (movement: Movement) => Promise<void> {
  let running: { abort: AbortController; ended: Promise<void> } | null = null
  return (movement) => {
    const before = running
    const abort = new AbortController()
    before?.abort.abort(new Error('It was told otherwise meanwhile.'))
    const work = (async () => {
      await before?.ended
      abort.signal.throwIfAborted()
      await run(movement, abort.signal)
    })()
    running = { abort, ended: work.catch(() => {}) }
    return work
  }
}
