/** Difference between this machine's clock and the time server of the settings. The machine itself sets its clock. */
import { askTime, NoTime, type Measurement, type TimeFailure } from './sntp.ts'

/** Milliseconds of difference from which on people are warned. */
const CLOCK_OFF = 2_000
const HOUR = 3_600_000

export interface TimeServerState {
  server: string
  /** The time server's clock minus this one's in milliseconds; null before the first answer. */
  offset: number | null
  /** Epoch milliseconds of that answer. */
  measuredAt: number | null
  /** Why the last request failed; null if it succeeded. */
  failure: TimeFailure | null
}

export interface ClockWatch {
  /** Return the state; null if no time server is set. */
  state(): TimeServerState | null
  /** Apply a changed setting. */
  refresh(): void
  /** Measure now. @throws NoTime, also if no time server is set */
  measure(): Promise<Measurement>
  stop(): void
}

export interface ClockWatchOptions {
  server: () => string | null
  /** UDP port of time servers; default 123. */
  port?: number
  /** Milliseconds until the next request after an answer, and after a failure; default an hour and a minute. */
  every?: { answered: number; failed: number }
  clock: () => number
  onChange: () => void
  log: (sentence: string) => void
}

/** Measure at once, then every hour. */
export function watchClock({
  server,
  port = 123,
  every = { answered: HOUR, failed: 60_000 },
  clock,
  onChange,
  log,
}: ClockWatchOptions): ClockWatch {
  let state: TimeServerState | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function measure(): Promise<Measurement> {
    const host = server()
    if (host === null) throw new NoTime('unknownHost', 'No time server is set.')
    try {
      const measured = await askTime(host, { port, clock })
      noteResult(host, { server: host, offset: measured.offset, measuredAt: clock(), failure: null })
      return measured
    } catch (error) {
      if (error instanceof NoTime)
        noteResult(host, { ...(state ?? { server: host, offset: null, measuredAt: null }), failure: error.failure }, error.message)
      throw error
    }
  }

  function noteResult(host: string, next: TimeServerState, sentence?: string): void {
    if (stopped || host !== server()) return
    if (sentence !== undefined && state?.failure !== next.failure) log(sentence)
    if (next.offset !== null && isOff(next) && !isOff(state))
      log(`This machine's clock is ${(Math.abs(next.offset) / 1000).toFixed(1)} s off the time server ${host}.`)
    state = next
    onChange()
  }

  async function ask(): Promise<void> {
    const host = server()
    const failed = await measure().then(
      () => false,
      () => true,
    )
    if (stopped || host !== server()) return
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), failed ? every.failed : every.answered)
    timer.unref()
  }

  function refresh(): void {
    const host = server()
    if (host === (state?.server ?? null)) return
    clearTimeout(timer)
    state = host === null ? null : { server: host, offset: null, measuredAt: null, failure: null }
    onChange()
    if (host !== null) void ask()
  }

  return {
    state: () => state,
    refresh,
    measure,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Whether the difference needs attention. */
const isOff = (state: TimeServerState | null): boolean => Math.abs(state?.offset ?? 0) > CLOCK_OFF
