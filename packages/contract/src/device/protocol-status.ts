/** Reports of a device about itself and its stored state, and the server's announcement of the state it should have. */
import { z } from 'zod'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { word64, audience, cursor } from './protocol.ts'

/** State that a device has stored. */
export const deviceHoldings = z.object({
  revision: z.string().max(64),
  audience,
  /** All changes up to this one have been taken, or are listed in the exceptions. */
  cursor,
  /** Sum of the versions of all stored persons, including exceptions. */
  digest: word64,
  /** Number of persons that can be recognised, and of those that cannot. */
  persons: z.number().int().min(0),
  failed: z.number().int().min(0),
  /**
   * Newest erasure that is complete, with all before it; null: none, or one of them is incomplete. Absent: the device does not support
   * erasures.
   */
  erasure: id.nullish(),
})
export type DeviceHoldings = z.output<typeof deviceHoldings>

/**
 * Changes of a device's stored data that were not made by the device. With no persons and no rules: triggers or views in its database file.
 */
export const storeTampering = z.object({
  /** When the change was found. */
  at: instant,
  /** Number of rows of persons that failed the check. */
  persons: z.number().int().min(0),
  /** Whether settings, access rules or time rules failed the check. */
  rules: z.boolean(),
})
export type StoreTampering = z.output<typeof storeTampering>

/** Facts about a device for display; each may be absent. */
export const deviceFacts = z.object({
  /** Name of the installed package. */
  apkName: z.string().max(64).optional(),
  algorithmVersion: z.string().max(64).optional(),
  /** `linux`, `android`, … */
  platform: z.string().max(32).optional(),
  /** Values of `deviceLicense`. */
  license: z.union([z.literal(0), z.literal(1)]).optional(),
  /** Number of persons it can store. */
  capacity: z.number().int().min(0).max(10_000_000).optional(),
  /** State of the door, of the enum `doorState`. */
  door: z.string().max(32).optional(),
  /** The last time changes by others were found in the store; absent: never, or the device does not check. */
  storeTampering: storeTampering.optional(),
})
export type DeviceFacts = z.output<typeof deviceFacts>

/** First message after connecting, retained; repeats whenever `held` or `facts` change. */
export const statusMessage = z.object({
  online: z.boolean(),
  version: z.string().max(64).optional(),
  ip: z.string().max(64).optional(),
  modelId: z.string().max(64).optional(),
  /** Absent before the first manifest was taken. */
  held: deviceHoldings.optional(),
  facts: deviceFacts.optional(),
})
export type StatusMessage = z.output<typeof statusMessage>

/** State that the device should have. Sent at every change that concerns it and after every status with `online`. */
export const changedMessage = z.object({
  revision: z.string(),
  audience,
  head: cursor,
  digest: word64,
  /** Newest erasure; null: no person was erased. Absent: the server does not announce erasures. */
  erasure: id.nullish(),
})
export type ChangedMessage = z.output<typeof changedMessage>
