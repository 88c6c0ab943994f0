/** Rules of accounts and passwords, the same in the form and on the server. */
import { z } from 'zod'
import { ACCOUNT_NAME_MAX, ACCOUNT_NAME_MIN, PASSWORD_MAX, PASSWORD_MIN, USER_TEXT_MAX } from './limits.ts'
import { masked } from './masking.ts'
import { secret } from './unkept.ts'
import { rule } from './validation.ts'

/** Starts with a letter, 2 to 16 letters, digits, `_`, `-` or `.`, no blanks. */
export const accountName = z
  .string()
  .min(ACCOUNT_NAME_MIN)
  .max(ACCOUNT_NAME_MAX)
  .refine((value) => /^[A-Za-z][A-Za-z0-9_.-]*$/.test(value), rule('account'))

/** Required, at most 64 characters. */
export const realName = masked('name', z.string().trim().min(1).max(USER_TEXT_MAX))
/** Second name of an administrator, such as an office; optional, at most 64. */
export const administratorName = masked('name', z.string().trim().max(USER_TEXT_MAX))
/** Optional, at most 64 characters. */
export const email = masked(
  'email',
  z.union([
    z.literal(''),
    z
      .string()
      .trim()
      .max(USER_TEXT_MAX)
      .refine((value) => /^[^\s@*]+@[^\s@]+\.[^\s@.]+$/.test(value) || looksLikeMask(value), rule('email')),
  ]),
)
/** Optional, digits plus + * #, at most 64; the server refuses other characters with 900114. */
export const telephone = masked('phone', z.string().trim().max(USER_TEXT_MAX))
export const idCard = masked('idNumber', z.string().trim().max(32))

/** A form that leaves a masked address unchanged sends the mask back; the server replaces it with the stored address. */
const looksLikeMask = (value: string): boolean => /^.\*{3}@[^\s@]+$/u.test(value)

export const isTelephone = (value: string): boolean => /^[0-9+*#]*$/.test(value)

/**
 * Return the first rule that a new password breaks, null if it breaks none. The server alone can check that it differs from the previous
 * password.
 */
export function passwordFault(password: string): 'length' | 'upper' | 'lower' | 'digit' | 'special' | 'palindrome' | null {
  const characters = [...password]
  if (characters.length < PASSWORD_MIN || characters.length > PASSWORD_MAX) return 'length'
  if (!/\p{Lu}/u.test(password)) return 'upper'
  if (!/\p{Ll}/u.test(password)) return 'lower'
  if (!/\p{Nd}/u.test(password)) return 'digit'
  if (!/[^\p{L}\p{Nd}\s]/u.test(password)) return 'special'
  if (characters.join('') === characters.toReversed().join('')) return 'palindrome'
  return null
}

/**
 * A password as it is sent: base64 of the RSA-OAEP(SHA-256) cipher text under the login key; the server decrypts each cipher text once
 * (`password-text.ts`).
 */
export const cipherText = secret(z.string().min(1).max(2048))
