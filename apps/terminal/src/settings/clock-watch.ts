/** How far this machine's clock is off the time server the settings name. The clock itself is the machine's own to set. */
import { askTime, NoTime, type Measurement, type TimeFailure } from './sntp.ts'

/** Milliseconds off from which people are warned. */
const CLOCK_OFF = 2_000
const HOUR = 3_600_000

export interface TimeServerState {
  server: string
  /** Time server's clock minus this one's in milliseconds; null before the first answer. */
  offset: number | null
  /** Epoch milliseconds of that answer. */
  measuredAt: number | null
  /** Why the last question brought no time; null when it did. */
  failure: TimeFailure | null
}

export interface ClockWatch {
  /** Null where no time server is set. */
  state(): TimeServerState | null
  /** The setting may be another. */
  refresh(): void
  /** Asks now. @throws NoTime, also where no time server is set */
  measure(): Promise<Measurement>
  stop(): void
}

export interface ClockWatchOptions {
  server: () => string | null
  /** UDP port of time servers; 123 unless told. */
  port?: number
  /** Milliseconds from one question to the next, and after one that failed; an hour and a minute unless told. */
  every?: { answered: number; failed: number }
  clock: () => number
  onChange: () => void
  log: (sentence: string) => void
}

/** Asks at once, then every hour. */
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
      told(host, { server: host, offset: measured.offset, measuredAt: clock(), failure: null })
      return measured
    } catch (error) {
      if (error instanceof NoTime)
        told(host, { ...(state ?? { server: host, offset: null, measuredAt: null }), failure: error.failure }, error.message)
      throw error
    }
  }

  function told(host: string, next: TimeServerState, sentence?: string): void {
    if (stopped || host !== server()) return
    if (sentence !== undefined && state?.failure !== next.failure) log(sentence)
    if (next.offset !== null && isOff(next) && !isOff(state))
      log(`This machine's clock is ${(Math.abs(next.offset) / 1000).toFixed(1)} s off the time server ${host}.`)
    state = next
    onChange()
  }

  async function ask(): Promise<void> {
    const asked = server()
    const failed = await measure().then(
      () => false,
      () => true,
    )
    if (stopped || asked !== server()) return
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), failed ? every.failed : every.answered)
    timer.unref()
  }

  function refresh(): void {
    const wanted = server()
    if (wanted === (state?.server ?? null)) return
    clearTimeout(timer)
    state = wanted === null ? null : { server: wanted, offset: null, measuredAt: null, failure: null }
    onChange()
    if (wanted !== null) void ask()
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

/** Whether people should see to it. */
const isOff = (state: TimeServerState | null): boolean => Math.abs(state?.offset ?? 0) > CLOCK_OFF
