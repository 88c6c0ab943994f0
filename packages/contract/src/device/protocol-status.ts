/** What a device reports of itself and of what it stores, and what the server announces that it should come to. */
import { z } from 'zod'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { word64, audience, cursor } from './protocol.ts'

/** What a device holds. */
export const deviceHoldings = z.object({
  revision: z.string().max(64),
  audience,
  /** All changes up to here have been taken, or stand among the exceptions. */
  cursor,
  /** Sum of the versions of all persons held, exceptions included. */
  digest: word64,
  /** Persons that can be recognised, and those that cannot. */
  persons: z.number().int().min(0),
  failed: z.number().int().min(0),
  /**
   * Newest erasure that is carried out, with all before it; null: none, or one of them not wholly. Absent: the device
   * does not know of erasures.
   */
  erasure: id.nullish(),
})
export type DeviceHoldings = z.output<typeof deviceHoldings>

/** What somebody changed in the store of a device behind its back; no person and no rules: what runs by itself in its file. */
export const storeTampering = z.object({
  /** When it was found. */
  at: instant,
  /** Rows of persons that did not fit. */
  persons: z.number().int().min(0),
  /** Whether settings, strategies or time rules did not fit. */
  rules: z.boolean(),
})
export type StoreTampering = z.output<typeof storeTampering>

/** What a device tells of itself for people to read; each may be absent. */
export const deviceFacts = z.object({
  /** Name of the installed package. */
  apkName: z.string().max(64).optional(),
  algorithmVersion: z.string().max(64).optional(),
  /** `linux`, `android`, … */
  platform: z.string().max(32).optional(),
  /** Values of `deviceLicense`. */
  license: z.union([z.literal(0), z.literal(1)]).optional(),
  /** Persons it has room for. */
  capacity: z.number().int().min(0).max(10_000_000).optional(),
  /** State of the door, of the enum `doorState`. */
  door: z.string().max(32).optional(),
  /** The last time the store was found changed by others; absent: never, or it does not look. */
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

/** What the device should come to. Sent at every change that concerns it and after every status that says `online`. */
export const changedMessage = z.object({
  revision: z.string(),
  audience,
  head: cursor,
  digest: word64,
  /** Newest erasure; null: nobody was erased. Absent: the server does not tell. */
  erasure: id.nullish(),
})
export type ChangedMessage = z.output<typeof changedMessage>
