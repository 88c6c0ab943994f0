/** Who is logged in, and who tried too often. In memory: whoever restarts the terminal logs in again. */
import { randomBytes } from 'node:crypto'

/** Milliseconds without a call after which a session ends. */
const IDLE = 30 * 60_000
/** Wrong logins in a row from one address, after which it has to wait. */
const TRIES = 5
/** Milliseconds to wait then, after each further wrong one again. */
const WAIT = 60_000
const SESSIONS = 50
const ADDRESSES = 1_000

export interface Sessions {
  /** @returns its token */
  open(): string
  /** Whether a session goes on; a call keeps it alive. */
  alive(token: string | undefined): boolean
  close(token: string): void
  /** Ends all but this one. */
  closeOthers(token: string | null): void
}

export function createSessions(clock: () => number): Sessions {
  const lastSeen = new Map<string, number>()

  return {
    open() {
      const token = randomBytes(32).toString('base64url')
      lastSeen.set(token, clock())
      if (lastSeen.size > SESSIONS) lastSeen.delete(lastSeen.keys().next().value ?? '')
      return token
    },
    alive(token) {
      const seen = token === undefined ? undefined : lastSeen.get(token)
      if (token === undefined || seen === undefined) return false
      lastSeen.delete(token)
      if (clock() - seen >= IDLE) return false
      // Behind all others: the one that goes first is the one longest unused.
      lastSeen.set(token, clock())
      return true
    },
    close: (token) => void lastSeen.delete(token),
    closeOthers(token) {
      for (const other of lastSeen.keys()) if (other !== token) lastSeen.delete(other)
    },
  }
}

export interface Throttle {
  /**
   * Takes a try, before anything is compared: those made at once are counted like those one after the other.
   * @returns seconds an address still has to wait; 0: it may try
   */
  enter(address: string): number
  /** The try was right: gives back those of the address. */
  right(address: string): void
}

export function createThrottle(clock: () => number): Throttle {
  const tries = new Map<string, { count: number; last: number }>()

  return {
    enter(address) {
      const { count, last } = tries.get(address) ?? { count: 0, last: 0 }
      const seconds = count < TRIES ? 0 : Math.max(0, Math.ceil((last + WAIT - clock()) / 1000))
      if (seconds > 0) return seconds
      tries.delete(address)
      tries.set(address, { count: count + 1, last: clock() })
      if (tries.size > ADDRESSES) tries.delete(tries.keys().next().value ?? '')
      return 0
    },
    right: (address) => void tries.delete(address),
  }
}
