/**
 * When the pictures of a stream were taken, by when they arrive. A network holds pictures up and lets them arrive together; they were taken
 * apart from each other. Taken for the moments of their arrival, a face would seem to leap from one to the next, and to be another one.
 */

export interface Moments {
  /** Return when the next picture was taken, later than the one before, and no later than it arrives. */
  next(arrivedAt: number): number
}

/** Share of the newest interval in the average. */
const NEWEST = 0.02
/** Share of the delay that is taken to be a camera that pauses, not a network that holds pictures up. */
const CATCHING_UP = 0.02
/** Milliseconds by which a picture may be older than its arrival. */
const DELAY = 1_000
/** Milliseconds without a picture after which a stream begins again. */
const PAUSE = 2_000
/** Part of the average interval by which two pictures are apart at least, as far as the arrival allows. */
const APART = 0.5

export function createMoments(): Moments {
  let interval = 40
  let last: { arrivedAt: number; takenAt: number } | null = null

  return {
    next(arrivedAt) {
      const elapsed = last === null ? PAUSE : arrivedAt - last.arrivedAt
      let takenAt = arrivedAt
      if (last !== null && elapsed < PAUSE) {
        interval += NEWEST * (elapsed - interval)
        const expected = last.takenAt + interval
        const steady = Math.max(arrivedAt - DELAY, expected + CATCHING_UP * Math.max(0, arrivedAt - expected))
        takenAt = Math.min(arrivedAt, Math.max(steady, last.takenAt + APART * interval))
      }
      last = { arrivedAt, takenAt }
      return takenAt
    },
  }
}
