/** Sessions, and addresses with too many wrong logins. They are stored in memory: a restart of the terminal ends them. */
import { randomBytes } from 'node:crypto'

/** Milliseconds without a call after which a session ends. */
const IDLE = 30 * 60_000
/** Wrong logins in succession after which an address has to wait. */
const TRIES = 5
/** Milliseconds to wait then, and after each further wrong login. */
const WAIT = 60_000
const SESSIONS = 50
const ADDRESSES = 1_000

export interface Sessions {
  /** Open a session. @returns its token */
  open(): string
  /** Return whether a session is valid; a call extends it. */
  alive(token: string | undefined): boolean
  close(token: string): void
  /** End all but this one. */
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
      // Moved behind all others: the session unused for the longest time is dropped first.
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
   * Count an attempt before anything is compared, so that concurrent attempts count like successive ones.
   * @returns seconds the address has to wait; 0 if it may try
   */
  enter(address: string): number
  /** Forget the attempts of an address, because the last one was right. */
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
