/** The server's clock, replaceable in tests that need another hour of the day. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}
export const systemClock: Clock = { now: () => Date.now() }
