/** One movement of a lock at a time. The latest movement counts, and the one it supersedes is aborted first. */

/**
 * Return a function that starts a movement. It rejects like `run`, and when a later movement supersedes it.
 * @param run carries out a movement; it must end soon after `signal` aborts
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
