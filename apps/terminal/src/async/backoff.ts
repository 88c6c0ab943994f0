/** Exponential backoff with jitter, up to a limit, so that a thousand terminals do not reconnect at once. */
export interface Backoff {
  /** Milliseconds to wait before the next try. */
  next(): number
  reset(): void
}

/**
 * @param first milliseconds after the first failure; doubled each time up to `limit`
 * @param random 0 to below 1
 */
export function createBackoff(first: number, limit: number, random: () => number): Backoff {
  let wait = first
  return {
    next() {
      const now = wait
      wait = Math.min(limit, wait * 2)
      return Math.round(now * (0.75 + random() * 0.5))
    },
    reset() {
      wait = first
    },
  }
}
