/**
 * Which registered persons and contacts are the same human: a mother is a contact of each of her children, and may be of the staff, too.
 * It is entered nowhere; it follows from the phone and the name.
 */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import type { Scope } from '../../platform/session/session.ts'

/**
 * Return a word that is equal for the same phone and the same name in a park, however that is spaced and whether in capital letters.
 * The phone alone would make one human of parents who share theirs, and of a child who was given that of the mother. It follows from
 * both by the master key, so that a terminal can compare it and nobody can look the phone up by it.
 */
export function humanOf(crypto: Pick<Crypto, 'blindIndex'>, { parkId }: Scope, { name, phone }: { name: string; phone: string }): string {
  const spelled = name.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase()
  return crypto.blindIndex(`human ${parkId} ${phone} ${spelled}`).toString('hex').slice(0, 32)
}
