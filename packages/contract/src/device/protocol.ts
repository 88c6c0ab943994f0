/**
 * What a terminal and the server say to each other, version 1: final. Later versions of the product only add optional
 * fields, calls and new command names; whoever does not know them passes over them. Bulk goes over HTTP (service `device`,
 * with the token of a handshake, or Basic with the device's code and secret), short messages over MQTT under
 * `gatehouse/1/{code}/…`. Every message is checked on arrival on both sides. In words: docs/protocol/README.md.
 */
import { z } from 'zod'
import { id } from './id.ts'

export const PROTOCOL_VERSION = 1

/** Topics of one device. `up`: device to server, `down`: server to device. */
export const deviceTopics = (code: string) => ({
  /** Retained; the broker sends `{ online: false }` as the last will. */
  status: `gatehouse/1/${code}/up/status`,
  records: `gatehouse/1/${code}/up/records`,
  answer: `gatehouse/1/${code}/up/answer`,
  acknowledged: `gatehouse/1/${code}/down/acknowledged`,
  changed: `gatehouse/1/${code}/down/changed`,
  command: `gatehouse/1/${code}/down/command`,
})
export const UPLINK_PATTERN = 'gatehouse/1/+/up/#'

/**
 * An unsigned number of 64 bits as 16 hexadecimal digits. The version of a person is one the server draws from all that
 * a device holds of them; equal versions mean equal content. The digest of a set of persons is the sum of their versions
 * modulo 2^64, so that it follows each change without being counted anew.
 */
export const word64 = z.string().regex(/^[0-9a-f]{16}$/)

/** Persons fall into so many buckets by the last two hexadecimal digits of their id. */
export const DIGEST_BUCKETS = 256
export const bucketOf = (personId: string): number => Number.parseInt(personId.slice(-2), 16)

/** Names an audience: the devices at which the same strategies hold, and so the same persons. */
export const audience = id
/** Number of a change within its audience. */
export const cursor = z.number().int().min(0)
