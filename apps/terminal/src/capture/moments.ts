/**
 * When the pictures of a stream were taken, by when they arrive. A network holds pictures up and lets them arrive together; they were taken
 * apart from each other. Taken for the moments of their arrival, a face would seem to leap from one to the next, and to be another one.
 */
import { PAUSE } from './rhythm.ts'

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
        takenAt = Math.min(arrivedAt, Math.max(arrivedAt - DELAY, expected + CATCHING_UP * (arrivedAt - expected)))
      }
      last = { arrivedAt, takenAt }
      return takenAt
    },
  }
}
