/** A clock for worlds that can be set ahead during some work. */
import type { Clock } from '@gatehouse/server/platform/time/clock'

export interface ClockAhead {
  clock: Clock
  /** Return the result of work that runs this many milliseconds later. */
  after<T>(milliseconds: number, work: () => Promise<T>): Promise<T>
}

export function clockAhead(): ClockAhead {
  let ahead = 0
  return {
    clock: { now: () => Date.now() + ahead },
    async after(milliseconds, work) {
      ahead = milliseconds
      try {
        return await work()
      } finally {
        ahead = 0
      }
    },
  }
}
