/**
 * Messages between a terminal and the server, protocol version 1: final. Later versions of the product only add optional fields, calls and
 * new command names; receivers that do not know them ignore them. Bulk data is sent over HTTP (service `device`, with the token of a
 * handshake, or Basic with the device's code and secret), short messages over MQTT under `gatehouse/1/{code}/…`. Both sides check every
 * message on arrival. In words: docs/protocol/README.md.
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
 * An unsigned 64-bit number as 16 hexadecimal digits. The server derives the version of a person from all data that a device stores of
 * them; equal versions mean equal content. The digest of a set of persons is the sum of their versions modulo 2^64, so that it can be
 * updated at each change without computing it again.
 */
export const word64 = z.string().regex(/^[0-9a-f]{16}$/)

/** Number of buckets of persons, by the last two hexadecimal digits of their id. */
export const DIGEST_BUCKETS = 256
export const bucketOf = (personId: string): number => Number.parseInt(personId.slice(-2), 16)

/** Identifier of an audience: the devices to which the same access rules apply, and so the same persons. */
export const audience = id
/** Number of a change within its audience. */
export const cursor = z.number().int().min(0)
