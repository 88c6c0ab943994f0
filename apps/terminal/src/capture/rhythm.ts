/** Which pictures of a stream are searched for faces: every n-th, so that the search takes a part of the time only. */

export interface Rhythm {
  /** Take the next picture of the stream. @returns whether it is to be searched */
  isDue(at: number): boolean
  /** Note how long a search took, in milliseconds, and whether somebody is in view. */
  searched(milliseconds: number, isSomebodyThere: boolean): void
  /** Pictures of the stream per second, and of how many one is searched. */
  state(): { picturesPerSecond: number; everyNth: number }
}

/** Part of the time that the search may take. */
const SHARE = 0.35
/** Milliseconds between two searches: at most, since faces that moved farther are lost; at least, while somebody or nobody is in view. */
const APART = { most: 300, somebody: 70, nobody: 150 }
/** Share of the newest measurement in an average. */
const NEWEST = 0.2
/** Milliseconds without a picture after which a stream begins again. */
export const PAUSE = 2_000

export function createRhythm(): Rhythm {
  let searchTime = 0
  let interval = 40
  let lastAt: number | null = null
  let since = 0
  let isSomebody = false

  function everyNth(): number {
    const least = Math.max(searchTime / SHARE, isSomebody ? APART.somebody : APART.nobody)
    return Math.max(1, Math.round(Math.min(least, APART.most) / interval))
  }

  return {
    isDue(at) {
      const elapsed = lastAt === null ? PAUSE : at - lastAt
      if (elapsed < PAUSE) interval += NEWEST * (Math.max(1, elapsed) - interval)
      lastAt = at
      since++
      if (elapsed < PAUSE && since < everyNth()) return false
      since = 0
      return true
    },
    searched(milliseconds, isSomebodyThere) {
      searchTime += (searchTime === 0 ? 1 : NEWEST) * (milliseconds - searchTime)
      isSomebody = isSomebodyThere
    },
    state: () => ({ picturesPerSecond: lastAt === null ? 0 : Math.round(10_000 / interval) / 10, everyNth: everyNth() }),
  }
}
