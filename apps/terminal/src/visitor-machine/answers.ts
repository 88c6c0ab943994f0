/** What a visitor machine tells its page. */
import type { Purpose, Refusal } from './deciding.ts'

/** A visit that was found. Names are masked, and the host is empty, before it is certain who stands there. */
interface Found {
  session: string
  purpose: Purpose
  visitorName: string
  hostName: string
}

/**
 * The next step of a visitor. `wait`: too many numbers were tried, seconds. `left`: the session has ended. `look`: a picture is needed;
 * `trouble`: what was wrong with the last one, `picture` a business code of the catalogue.
 */
export type MachineAnswer =
  | { step: 'refused'; reason: Refusal; from?: number }
  | { step: 'wait'; retryAfter: number }
  | { step: 'left' }
  | (Found & { step: 'look'; triesLeft: number; trouble: { notMatched: true } | { picture: number } | null })
  | (Found & { step: 'certificate' | 'confirm' })
  | (Found & {
      step: 'done'
      /** Somebody is visited, though perhaps not named here. */
      hasHost: boolean
      /** The server knows: it has told the host, and prints the badge. */
      isDelivered: boolean
      /** A badge can be printed from the page. */
      hasBadge: boolean
      printsBadge: boolean
    })

export interface Badge {
  visitorName: string
  hostName: string
  companyName: string
  /** Epoch milliseconds. */
  date: number
  /** Text of the pass that was shown; null: none was. */
  pass: string | null
}

/** What the page shows while nobody is there. */
export interface MachineState {
  companyName: string
  address: string
  zone: string
  openSignOff: boolean
  isOnline: boolean
  /** Epoch milliseconds of the terminal's clock. */
  time: number
}
