/** Ids of access records. A repeated record gets the same id, wherever it is computed. */
import { createHash } from 'node:crypto'
import { RECORD_NAMESPACE, recordName } from '@gatehouse/contract/device/record-id'

/**
 * Return the UUID of version 5 (RFC 9562): SHA-1 of a name within a name space.
 * @param namespace a UUID in its text form
 */
export function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Return the id under which a record is stored everywhere. */
export function recordId(deviceId: string, epoch: string, seq: number): string {
  return uuidV5(RECORD_NAMESPACE, recordName(deviceId, epoch, seq))
}
