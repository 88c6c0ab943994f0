import { createHash, randomUUIDv7 } from 'node:crypto'
import { RECORD_NAMESPACE, recordName } from '@gatehouse/contract/device/record-id'

/** Sorts before every id: the start of paging by id. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/** Numbers of one millisecond: twelve bits. */
const NUMBERS = 0x1000

/** The moment of the last id, and its number within it. */
let last = 0
let number = 0

/**
 * Return a new id: a UUIDv7, so that ids of one table grow with time. Of two that this process makes within a millisecond the later is the
 * greater: the twelve bits after the time count (RFC 9562, 6.2, method 1).
 */
export function newId(): string {
  const id = randomUUIDv7()
  const now = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  if (now > last) {
    last = now
    // Half of the numbers are left to count on.
    number = Number.parseInt(id.slice(15, 18), 16) % (NUMBERS / 2)
  } else if (++number === NUMBERS) {
    last++
    number = 0
  }
  const time = last.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${number.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** Return whether a text has the form of an id; PostgreSQL refuses to compare anything else with a uuid. */
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Return the UUID of a version (RFC 9562) made of the first 16 bytes of a hash. */
function uuidOf(hash: Buffer, version: 5 | 8): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Return the UUIDv5 of a name in a name space. */
export const uuidV5 = (namespace: string, name: string): string =>
  uuidOf(
    createHash('sha1')
      .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
      .update(name)
      .digest(),
    5,
  )

/** Return the UUIDv8 of a hash that is made with a key: the same for the same thing, and without the key nobody can tell which. */
export const uuidV8 = (hash: Buffer): string => uuidOf(hash, 8)

/** Return the id of a device's record: the same each time the message is repeated. */
export const recordId = (deviceId: string, epoch: string, seq: number): string => uuidV5(RECORD_NAMESPACE, recordName(deviceId, epoch, seq))
