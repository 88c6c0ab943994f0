/** Records of passages on their way to the server, and its acknowledgement. */
import { z } from 'zod'
import { instant } from '../schema.ts'
import { id } from './id.ts'

/** One passage, numbered per device and epoch from 1 without gaps. */
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
  /** What sensors told: degrees Celsius or a mark (-1, -2), values of `temperatureStatus`, `maskStatus`, `helmetStatus`. */
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
 * An epoch begins with a data folder of the device and ends with it. `oldestSeq`: the lowest number the device still
 * keeps of it; what is below and not stored is gone, and not waited for. `sentAt` is the device's clock at sending: the
 * server records the offset.
 */
export const recordsMessage = z.object({
  epoch: z.string().min(1).max(64),
  oldestSeq: z.number().int().min(1),
  sentAt: instant,
  records: z.array(recordObject).min(1).max(500),
})
export type RecordsMessage = z.output<typeof recordsMessage>

/** All numbers up to `ackSeq` of this epoch are stored. Sent after commit. A broker's receipt means nothing. */
export const acknowledgedMessage = z.object({ epoch: z.string(), ackSeq: z.number().int() })
