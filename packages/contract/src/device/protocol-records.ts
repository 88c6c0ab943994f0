/** Access records as they are sent to the server, and its acknowledgement. */
import { z } from 'zod'
import { instant } from '../schema.ts'
import { id } from './id.ts'

/** One access event, numbered per device and epoch from 1 without gaps. */
export const recordObject = z.object({
  seq: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  occurredAt: instant,
  personId: id.nullable(),
  personName: z.string().max(64),
  /** The contact who came in the person's place; null or absent: the person came. */
  contactId: id.nullish(),
  contactName: z.string().max(64).nullish(),
  result: z.number().int().min(0).max(1),
  failReason: z.number().int().nullable(),
  verifyType: z.number().int(),
  direction: z.number().int(),
  score: z.number().nullable(),
  /** Measurements of sensors: degrees Celsius or a mark (-1, -2), values of `temperatureStatus`, `maskStatus`, `helmetStatus`. */
  temperature: z.number().min(-100).max(100).nullish(),
  temperatureStatus: z.number().int().min(0).max(9).nullish(),
  mask: z.number().int().min(0).max(1).nullish(),
  helmet: z.number().int().min(0).max(1).nullish(),
  /** Compact checks of `access-rules`, at most 400 bytes. */
  checks: z.string().max(400),
  revision: z.string().max(64),
  hasPicture: z.boolean(),
})
export type RecordObject = z.output<typeof recordObject>

/**
 * An epoch is the lifetime of a data folder of the device. `oldestSeq`: the lowest number of the epoch that the device still stores; lower
 * numbers that the server has not stored are lost, and the server does not wait for them. `sentAt` is the device's clock at sending: the
 * server records the offset.
 */
export const recordsMessage = z.object({
  epoch: z.string().min(1).max(64),
  oldestSeq: z.number().int().min(1),
  sentAt: instant,
  records: z.array(recordObject).min(1).max(500),
})
export type RecordsMessage = z.output<typeof recordsMessage>

/**
 * All numbers up to `ackSeq` of this epoch are stored. Sent after the commit. An acknowledgement by the broker does not mean that a record
 * is stored.
 */
export const acknowledgedMessage = z.object({ epoch: z.string(), ackSeq: z.number().int() })
