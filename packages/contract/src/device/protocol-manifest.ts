/** Everything by which a device decides except the persons: its settings, access rules and time rules. */
import { z } from 'zod'
import { timeRuleFields } from '../strategies/calls.ts'
import { terminalSettingValues } from '../configuration/settings.ts'
import { authorisedObject } from '../enums/access.ts'
import { ownCurve } from '../faces/own-curve.ts'
import { PROMISE_BOUNDS } from '../faces/promise.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { audience } from './protocol.ts'
import { visitorMachineSettings } from './visitor-machine.ts'
import { passKey } from './visitor-pass.ts'

/** Keys of passes at once, at most: the current one, and former ones of passes that have not ended. */
export const PASS_KEYS_MAX = 20

/** Settings by which a terminal decides. */
export const deviceSettings = z.object({
  deviceId: id,
  name: z.string(),
  direction: z.number().int(),
  zone: z.string(),
  /**
   * Lowest score (0 to 100, raw: before `shownScore`) at which a face counts as recognised; with a promise, one that keeps it for all
   * persons whom the device should store.
   */
  threshold: z.number(),
  /**
   * Promise about strangers at this door: a device that supports it computes its threshold from the persons it stores and the model that
   * compares there, instead of `threshold`. Absent: `threshold` is fixed.
   */
  promise: z
    .object({
      strangersPerThousand: z.number().min(PROMISE_BOUNDS.min).max(PROMISE_BOUNDS.max),
      /** Similarity of the people who may come to this door, by the device's model; absent if they are not more alike than others. */
      curve: ownCurve.optional(),
    })
    .optional(),
  /** The server makes the final decision on each access event within `timeoutMs` milliseconds; null: the terminal decides alone. */
  secondVerification: z
    .object({
      timeoutMs: z.number().int().min(100).max(30_000),
      /** Decision if the server could not be reached or did not answer in time; absent: `refuse`. */
      offline: z.enum(['refuse', 'allow']).optional(),
    })
    .nullable()
    .default(null),
  /** Milliseconds within which the second factor of a method must follow the first. */
  factorTimeoutMs: z.number().int().min(1000).max(60_000).default(10_000),
  /** Points of score by which the best person must be ahead of the second best; 0: no lead is required. */
  margin: z.number().min(0).max(100).default(0),
  /** The same lead between persons who are look-alikes of each other. */
  lookAlikeMargin: z.number().min(0).max(100).default(0),
  /** Whether a face must be a living one; `refuses: false` is a trial, which only records the score. Null: not checked. */
  liveness: z
    .object({ refuses: z.boolean(), threshold: z.number().min(0).max(1).nullable() })
    .nullable()
    .default(null),
  /**
   * Further settings of the server; null or absent: the terminal's own defaults apply. If a field above has a value too, that field
   * applies.
   */
  configuration: terminalSettingValues.nullish(),
  /** Changes whenever the answer of `secrets` changes. Empty or absent: there are no secrets. */
  secretsRevision: z.string().max(64).optional(),
  /** Public keys by which passes of visitors are verified; absent: no pass holds here. */
  passKeys: z.array(passKey).max(PASS_KEYS_MAX).optional(),
  /** The device is a visitor machine; absent: it is none, and deletes the visits it keeps. */
  visitorMachine: visitorMachineSettings.optional(),
})
export type DeviceSettings = z.output<typeof deviceSettings>

export const strategyObject = z.object({
  id,
  timeRuleIds: z.array(id),
  methods: z.array(z.number().int()),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Who is admitted by it: the persons it covers, their contacts, or both; absent: the persons. */
  authorisedObject: authorisedObject.schema.optional(),
})
export type StrategyObject = z.output<typeof strategyObject>
export const timeRuleObject = timeRuleFields.extend({ id, effectiveDate: z.string().nullable() })
export type TimeRuleObject = z.output<typeof timeRuleObject>

/**
 * Everything by which a device decides except the persons. An edited rule results in one new manifest, however many records refer to the
 * rule.
 */
export const manifest = z.object({
  /** Identifier of this state; repeated in records and in `held`. Equal content has an equal revision. */
  revision: z.string().max(64),
  audience,
  settings: deviceSettings,
  strategies: z.array(strategyObject),
  timeRules: z.array(timeRuleObject),
})
export type Manifest = z.output<typeof manifest>
