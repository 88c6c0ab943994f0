/** Holds up whoever tries passwords: after some wrong ones within a while, none is looked at for a while. */

export interface Throttle {
  /** Milliseconds until the next try is looked at; 0 when it is at once. */
  wait(now: number): number
  /** Counts a wrong try. */
  failed(now: number): void
}

/** @param most wrong tries within `within` milliseconds, after which `pause` milliseconds pass */
export function createThrottle({ most, within, pause }: { most: number; within: number; pause: number }): Throttle {
  let failures: number[] = []
  let until = -Infinity
  return {
    wait: (now) => Math.max(0, until - now),
    failed(now) {
      failures = [...failures.filter((at) => now - at < within), now]
      if (failures.length < most) return
      failures = []
      until = now + pause
    },
  }
}
