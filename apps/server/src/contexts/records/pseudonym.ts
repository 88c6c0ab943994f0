/**
 * What stands in a record in place of somebody who was erased: an id that follows from the person's by the master key, so
 * that passages of one person stay together, late ones too, and nobody without the key can tell whose they are.
 */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface Pseudonym {
  id: string
  /** In place of a name: no language, and no longer than a name may be. */
  name: string
}

/** A UUIDv8, as `isPseudonym` of the contract knows it. */
export function pseudonymOf(crypto: Pick<Crypto, 'blindIndex'>, { parkId }: Scope, personId: string): Pseudonym {
  const bytes = Buffer.from(crypto.blindIndex(`erased ${parkId} ${personId}`).subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), name: `#${hex.slice(0, 8)}` }
}
