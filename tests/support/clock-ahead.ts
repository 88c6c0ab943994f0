/** A clock for worlds that is set ahead while something is done. */
import type { Clock } from '@gatehouse/server/platform/time/clock'

export interface ClockAhead {
  clock: Clock
  /** What comes of something so many milliseconds later. */
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
