/**
 * Pseudonyms that replace an erased person in records. The id is derived from the person's id with the master key: passages of
 * one person, late ones too, stay together, and without the key nobody can tell whose they are.
 */
import { uuidV8 } from '../../platform/database/ids.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface Pseudonym {
  id: string
  /** In place of a name: in no language, and no longer than a name may be. */
  name: string
}

/** Return the pseudonym of a person in a park; its id is a UUIDv8 that `isPseudonym` of the contract recognises. */
export function pseudonymOf(crypto: Pick<Crypto, 'blindIndex'>, { parkId }: Scope, personId: string): Pseudonym {
  const id = uuidV8(crypto.blindIndex(`erased ${parkId} ${personId}`))
  return { id, name: `#${id.slice(0, 8)}` }
}
