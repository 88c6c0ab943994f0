/** Restarts the terminal every so many days, when nobody is there. */

const DAY = 86_400_000
/** Milliseconds without anybody that make a quiet moment. */
const QUIET = 60_000
/** Milliseconds between looks. */
const LOOK = 1_000

export interface RestartWatchOptions {
  /** The setting `restartInterval`; null: never. */
  days: () => number | null
  /** Whether something is under way that a restart would break off. */
  busy: () => boolean
  clock: () => number
  /** Called once. */
  restart: () => void
}

export interface RestartWatch {
  /** Somebody is here. */
  somebody(): void
  /** Epoch milliseconds from which a quiet moment is waited for; null: never. */
  dueAt(): number | null
  stop(): void
}

/** Counts from now. */
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
