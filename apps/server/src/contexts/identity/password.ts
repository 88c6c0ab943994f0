/** Passwords: the rules for new ones, their validity and their hash. */
import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { FIRST_PASSWORD_DAYS, type Language } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { mailText } from '../../platform/texts.ts'
import * as data from './data.ts'

export const hashPassword = (password: string): Promise<string> => hash(password)

/** Return whether the password is right; false for an account without a usable hash. */
export const isPassword = (passwordHash: string, password: string): Promise<boolean> => verify(passwordHash, password).catch(() => false)

const MONTHS: Readonly<Record<string, number>> = { '3m': 3, '6m': 6, '1y': 12 }

/** Return when a password of this validity, set at `setAt`, expires; null: never. */
export function passwordEnd(validity: string, setAt: number): number | null {
  const months = MONTHS[validity]
  if (months === undefined) return null
  return Temporal.Instant.fromEpochMilliseconds(setAt).toZonedDateTimeISO('UTC').add({ months }).epochMilliseconds
}

/** Alphabets without characters that are confused when read out. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz'
const CAPITALS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'

/** Make a first password for another person: it satisfies every rule, can be read out over the telephone, and is one of more than 2^60. */
export function inventPassword(): string {
  const oneOf = (characters: string): string => characters[randomInt(characters.length)]!
  const some = (count: number): string => Array.from({ length: count }, () => oneOf(LETTERS + DIGITS)).join('')
  const password = `${oneOf(CAPITALS)}${some(5)}-${some(6)}${oneOf(DIGITS)}`
  // Eleven digits in a row contain no lower-case letter; they occur once in millions.
  return passwordFault(password) === null ? password : inventPassword()
}

/** Return whether a password that another user set was not used in time, so that only a new one helps. */
export const isFirstPasswordOver = (
  { mustChange, passwordChangedAt }: Pick<data.Account, 'mustChange' | 'passwordChangedAt'>,
  now: number,
): boolean => mustChange && passwordChangedAt + FIRST_PASSWORD_DAYS * 86_400_000 <= now

/**
 * Return the new password of a form, where both opened entries are equal and satisfy the rules.
 *
 * @throws InvalidRequest for an empty or unreadable one, or two that differ; 100420 for one too simple
 */
export function demandNewPassword({ newPassword, confirmPassword }: Record<'newPassword' | 'confirmPassword', string | null>): string {
  const issues = Object.entries({ newPassword, confirmPassword }).flatMap(([path, value]) =>
    value === null || value === '' ? [{ path, rule: value === null ? 'invalid' : 'required' }] : [],
  )
  if (issues.length > 0) throw new InvalidRequest(issues)
  if (newPassword !== confirmPassword) throw new InvalidRequest([{ path: 'confirmPassword', rule: 'confirmation' }])
  if (passwordFault(newPassword!) !== null) refuse(100420, 'newPassword')
  return newPassword!
}

/** Return the current password, as opened from a field of a form. @throws InvalidRequest for an empty or unreadable one */
export function demandPassword(path: 'oldPassword' | 'password', password: string | null): string {
  if (password === null || password === '') throw new InvalidRequest([{ path, rule: password === null ? 'invalid' : 'required' }])
  return password
}

/** Refuse a new password that equals the current one. @throws Refusal 100419 */
export async function demandAnother(account: Pick<data.Account, 'passwordHash'>, password: string): Promise<void> {
  if (await isPassword(account.passwordHash, password)) refuse(100419, 'newPassword')
}

/** Store a new password and notify the account's address. It opens a lock, and is valid for the time set in the account. */
export async function storePassword(
  { clock, messages }: Pick<Platform, 'clock' | 'messages'>,
  tx: Transaction,
  account: Pick<data.Account, 'id' | 'account' | 'email' | 'passwordValidity'>,
  { passwordHash, mustChange, language }: { passwordHash: string; mustChange: boolean; language: Language },
): Promise<void> {
  const now = clock.now()
  await data.updatePasswordUnscoped(tx, account.id, {
    passwordHash,
    changedAt: now,
    expiresAt: passwordEnd(account.passwordValidity, now),
    mustChange,
  })
  if (account.email === '') return
  const written = await data.mailLanguageUnscoped(tx, account.id, language)
  await messages.send(tx, {
    channel: 'email',
    to: account.email,
    userId: account.id,
    ...mailText(written, 'passwordChanged', { account: account.account }),
  })
}
