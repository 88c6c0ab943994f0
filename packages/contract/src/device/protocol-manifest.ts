/** Everything a device decides by, but the persons: its settings, strategies and time rules. */
import { z } from 'zod'
import { timeRuleFields } from '../strategies/calls.ts'
import { terminalSettingValues } from '../configuration/settings.ts'
import { authorisedObject } from '../enums/access.ts'
import { ownCurve } from '../faces/own-curve.ts'
import { PROMISE_BOUNDS } from '../faces/promise.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { audience } from './protocol.ts'

/** Settings a terminal decides by. */
export const deviceSettings = z.object({
  deviceId: id,
  name: z.string(),
  direction: z.number().int(),
  zone: z.string(),
  /**
   * Lowest score (0..100, raw: before `shownScore`) at which a face counts as recognised; with a promise, one that
   * keeps it for all that the device should hold.
   */
  threshold: z.number(),
  /**
   * What is promised of strangers who try this door: a device that knows this works its threshold out for what it holds, by the model that
   * compares there, instead of `threshold`. Absent: `threshold` is fixed.
   */
  promise: z
    .object({
      strangersPerThousand: z.number().min(PROMISE_BOUNDS.min).max(PROMISE_BOUNDS.max),
      /** How alike those are who may come to this door, by the model the device has; absent where they are not more alike than others. */
      curve: ownCurve.optional(),
    })
    .optional(),
  /** The server has the last word on each passage, within so many milliseconds; null: the terminal decides alone. */
  secondVerification: z
    .object({
      timeoutMs: z.number().int().min(100).max(30_000),
      /** What becomes of a passage the server could not be asked about, or did not answer in time; absent: `refuse`. */
      offline: z.enum(['refuse', 'allow']).optional(),
    })
    .nullable()
    .default(null),
  /** Milliseconds within which the second factor of a method must follow the first. */
  factorTimeoutMs: z.number().int().min(1000).max(60_000).default(10_000),
  /** Points of score by which the best person must lead the second best; 0: no lead is asked for. */
  margin: z.number().min(0).max(100).default(0),
  /** The same between persons who are each other's look-alikes. */
  lookAlikeMargin: z.number().min(0).max(100).default(0),
  /** Whether a face must be a living one; `refuses: false` is a trial, which records the score only. Null: not looked at. */
  liveness: z
    .object({ refuses: z.boolean(), threshold: z.number().min(0).max(1).nullable() })
    .nullable()
    .default(null),
  /** What the server sets besides; null or absent: the terminal's own defaults hold. Fields above win where both say something. */
  configuration: terminalSettingValues.nullish(),
  /** Another value: what `secrets` answers is another. Empty or absent: there are none. */
  secretsRevision: z.string().max(64).optional(),
})
export type DeviceSettings = z.output<typeof deviceSettings>

export const strategyObject = z.object({
  id,
  timeRuleIds: z.array(id),
  methods: z.array(z.number().int()),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Who passes by it: the persons it covers, their contacts, or both; absent: the persons. */
  authorisedObject: authorisedObject.schema.optional(),
})
export type StrategyObject = z.output<typeof strategyObject>
export const timeRuleObject = timeRuleFields.extend({ id, effectiveDate: z.string().nullable() })
export type TimeRuleObject = z.output<typeof timeRuleObject>

/** Everything a device decides by, but the persons. One edited rule is one new manifest, whoever refers to it. */
export const manifest = z.object({
  /** Names this state; quoted on records and in `held`. Equal content has an equal revision. */
  revision: z.string().max(64),
  audience,
  settings: deviceSettings,
  strategies: z.array(strategyObject),
  timeRules: z.array(timeRuleObject),
})
export type Manifest = z.output<typeof manifest>
