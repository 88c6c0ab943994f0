/** Restarts the terminal every few days, when nobody is present. */

const DAY = 86_400_000
/** Milliseconds without anybody after which a moment counts as quiet. */
const QUIET = 60_000
/** Milliseconds between checks. */
const LOOK = 1_000

export interface RestartWatchOptions {
  /** The setting `restartInterval`; null: never. */
  days: () => number | null
  /** Return whether something is under way that a restart would interrupt. */
  busy: () => boolean
  clock: () => number
  /** Called once. */
  restart: () => void
}

export interface RestartWatch {
  /** Note that somebody is present. */
  somebody(): void
  /** Return the epoch milliseconds from which on a quiet moment is awaited; null: never. */
  dueAt(): number | null
  stop(): void
}

/** Start the watch; the days count from now. */
export function watchForRestart({ days, busy, clock, restart }: RestartWatchOptions): RestartWatch {
  const startedAt = clock()
  let lastSeen = startedAt
  const dueAt = () => {
    const interval = days()
    return interval === null ? null : startedAt + interval * DAY
  }
  const looking = setInterval(() => {
    const due = dueAt()
    const now = clock()
    if (busy()) lastSeen = now
    if (due === null || now < due || now - lastSeen < QUIET) return
    clearInterval(looking)
    restart()
  }, LOOK)
  looking.unref()
  return {
    somebody() {
      lastSeen = clock()
    },
    dueAt,
    stop: () => clearInterval(looking),
  }
}
