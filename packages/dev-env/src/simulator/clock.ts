/** Clocks of simulated devices: wrong by an offset, too fast or too slow, and able to pass days within seconds. */

export interface DeviceClock {
  /** Return the time in epoch milliseconds, as the device believes. */
  now(): number
  /** Let days pass: continue from `back` milliseconds ago, and catch up within `within` milliseconds. */
  liveThrough(back: number, within: number): void
}

export interface ClockOptions {
  /** Milliseconds that it is ahead of the true time at the start. */
  offset?: number
  /** Milliseconds that it gains in each millisecond. */
  gain?: number
  /** The true time; by default that of the system. */
  truth?: () => number
}

export function createDeviceClock({ offset = 0, gain = 0, truth = Date.now }: ClockOptions = {}): DeviceClock {
  const startedAt = truth()
  let journey: { from: number; back: number; within: number } | null = null
  const plain = (at: number): number => at + offset + (at - startedAt) * gain

  return {
    now() {
      const at = truth()
      if (journey === null) return Math.round(plain(at))
      const { from, back, within } = journey
      if (at < from + within) return Math.round(plain(at) - back * (1 - (at - from) / within))
      journey = null
      return Math.round(plain(at))
    },
    liveThrough(back, within) {
      journey = { from: truth(), back, within }
    },
  }
}
