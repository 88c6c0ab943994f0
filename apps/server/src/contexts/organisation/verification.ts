/** Verification codes of parks, and the links that carry them for a limited time. */
import { randomInt } from 'node:crypto'
import { PARK_AUTH_CODE_LENGTH } from '@gatehouse/contract'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { sameSecret } from '../../platform/encryption/same-secret.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Return a new code of ten digits or capital letters. */
export const newVerificationCode = (): string =>
  Array.from({ length: PARK_AUTH_CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const signature = (crypto: Crypto, code: string, expires: number): string => crypto.sign(`park ${code} ${expires}`)

/**
 * Return the link of a park's QR code. Its end is rounded up to the minute, so that a picture and a text made of the same values are equal.
 */
export function parkLink(
  crypto: Crypto,
  code: string,
  { now, hours, address }: { now: number; hours: number; address: string },
): { link: string; expiresAt: number } {
  const expiresAt = Math.ceil((now + hours * HOUR) / MINUTE) * MINUTE
  const query = new URLSearchParams({ code, expires: String(expiresAt), sign: signature(crypto, code, expiresAt) })
  return { link: `${address.replace(/\/+$/, '')}/#/associatedPark?${query}`, expiresAt }
}

/** Return whether a link is unaltered and has not ended. */
export const holdsLink = (crypto: Crypto, { code, expires, sign }: { code: string; expires: number; sign: string }, now: number): boolean =>
  expires > now && sameSecret(signature(crypto, code, expires), sign)
