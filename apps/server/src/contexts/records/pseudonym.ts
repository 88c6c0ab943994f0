/**
 * Pseudonyms that replace an erased person in records. The id is derived from the person's id with the master key: passages of
 * one person, late ones too, stay together, and without the key nobody can tell whose they are.
 */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface Pseudonym {
  id: string
  /** In place of a name: in no language, and no longer than a name may be. */
  name: string
}

/** Return the pseudonym of a person in a park; its id is a UUIDv8 that `isPseudonym` of the contract recognises. */
export function pseudonymOf(crypto: Pick<Crypto, 'blindIndex'>, { parkId }: Scope, personId: string): Pseudonym {
  const bytes = Buffer.from(crypto.blindIndex(`erased ${parkId} ${personId}`).subarray(0, 16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), name: `#${hex.slice(0, 8)}` }
}
