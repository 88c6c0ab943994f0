/** Lockout: after several wrong passwords within a period, none is checked for a while. */

export interface Throttle {
  /** Return the milliseconds until the next attempt is checked; 0 if at once. */
  wait(now: number): number
  /** Count a wrong attempt. */
  failed(now: number): void
}

/** @param most wrong attempts within `within` milliseconds, after which `pause` milliseconds pass */
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
