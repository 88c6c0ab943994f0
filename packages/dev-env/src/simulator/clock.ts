/** Clocks of simulated devices: off by something, too fast or too slow, and able to live through days in seconds. */

export interface DeviceClock {
  /** Epoch milliseconds, as the device believes. */
  now(): number
  /** Days pass: goes on from `back` milliseconds ago and has caught up after `within` milliseconds. */
  liveThrough(back: number, within: number): void
}

export interface ClockOptions {
  /** Milliseconds it is ahead of the true time at the start. */
  offset?: number
  /** Milliseconds it gains in each. */
  gain?: number
  /** The true time; the system's unless told. */
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
