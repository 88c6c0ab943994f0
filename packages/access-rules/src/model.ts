/**
 * What a decision is made from. Instants are epoch milliseconds, dates `YYYY-MM-DD`, zones IANA names; `null` as a bound
 * means unbounded. Fields a record carries beyond these are welcome and ignored.
 */
import type { authorisedObject, ValueOf } from '@gatehouse/contract/enums'
import type { Evidence } from './evidence.ts'

/**
 * A span of one weekday, local to the device: `start` inclusive, `end` exclusive, `HH:mm`, `24:00` allowed as an end.
 * A night is two periods.
 */
export interface Period {
  /** 1 Monday … 7 Sunday. */
  weekday: number
  start: string
  end: string
}

/** When passing is permitted. An allowed date opens the whole day, a forbidden one closes it and wins within its rule. */
export interface TimeRule {
  id: string
  periods: readonly Period[]
  allowedExceptionDates: readonly string[]
  forbiddenExceptionDates: readonly string[]
  /** The rule is closed before this local date. */
  effectiveDate?: string | null
}

/** Bounds of a validity, both inclusive. */
export interface Validity {
  validFrom?: number | null
  validTo?: number | null
}

/** A person as a terminal stores them. */
export interface AccessPerson extends Validity {
  id: string
  enabled: boolean
  /**
   * What this person's face must reach, and nobody else's, where it is more than the device asks of everybody; null for
   * what the device asks.
   */
  faceThreshold?: number | null
  /** Somebody was warned and said it all the same: the threshold holds where it is less than the device asks, too. */
  faceThresholdLoosens?: boolean | null
  /** Persons this one has been taken for. */
  lookAlikes?: readonly string[]
  /** Access methods the person may use, of those the strategies take; null or absent: all of them, empty: none. */
  methods?: readonly number[] | null
}

/**
 * A strategy that covers the person at the device; which ones do is resolved before deciding. For a passage that names
 * nobody, by the device's password alone, those that hold at the device.
 */
export interface AccessStrategy extends Validity {
  id: string
  timeRuleIds: readonly string[]
  /** Access methods of the specification, 1..15. */
  methods: readonly number[]
  /** Whether the person, their contacts or both pass by it; absent for the person. */
  authorisedObject?: ValueOf<typeof authorisedObject> | null
}

export interface AccessDevice {
  id: string
  /** 1 in, 2 out. */
  direction: number
  zone: string
  /**
   * What evidence must reach, on the scale of its score. `templates`: how many the threshold was worked out for; null
   * or absent: it is fixed.
   */
  thresholds: { face: number; templates?: number | null }
  /** Milliseconds within which the second factor of a method must follow the first; absent where nobody looks at that. */
  factorTimeoutMs?: number | null
  /**
   * The server has the last word on each passage, within so many milliseconds; absent: the device decides alone. `offline`: what
   * becomes of a passage it could not be asked about, or did not answer in time; absent: refused.
   */
  secondVerification?: { timeoutMs: number; offline?: 'refuse' | 'allow' | undefined } | null
  /** Points of score by which a face that names the person must lead the best of all others; 0 or absent: no lead is asked for. */
  margin?: number
  /** The same where that other one is among the person's look-alikes; the larger of the two counts. */
  lookAlikeMargin?: number
  /**
   * Whether a face must be a living one: `refuses: false` is a trial, which notes the score and refuses nobody. `threshold` is on
   * the scale of the engine, 0..1; without one a device that refuses refuses everybody. Null or absent: not looked at.
   */
  liveness?: { refuses: boolean; threshold: number | null } | null
  /** Access methods it accepts, of those the strategies take; empty or absent: all of them. */
  methods?: readonly number[]
  /** What it does about somebody without mask or helmet: nothing, say so, refuse. Null or absent: nothing. */
  wear?: { mask: WearRule; helmet: WearRule } | null
  /** Degrees Celsius a person may have: one above `maximum`, or not measured, is refused. Null or absent: not looked at. */
  temperature?: { minimum: number; maximum: number } | null
}

export type WearRule = 'off' | 'prompt' | 'refuse'

export interface DecisionInput {
  /** Names the settings the device held. */
  revision: string
  device: AccessDevice
  /** Epoch milliseconds of the passage, not of the decision. */
  moment: number
  evidence: Evidence
  /** The person the evidence names (`personNamed`), or none. */
  person: AccessPerson | null
  strategies: readonly AccessStrategy[]
  timeRules: ReadonlyMap<string, TimeRule>
}
