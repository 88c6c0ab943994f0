/** Passwords: what a new one must be, how long it holds, how it is kept. */
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { passwordFault } from '@gatehouse/contract/account'
import type { OpenTransaction, Tx } from '../../platform/database.ts'
import { InvalidRequest, refuse } from '../../platform/refusal.ts'
import * as data from './data.ts'
import type { IdentityTables } from './schema.ts'

export const hashPassword = (password: string): Promise<string> => hash(password)

/** Whether it is the one; an account without a usable hash has none. */
export const isPassword = (passwordHash: string, password: string): Promise<boolean> => verify(passwordHash, password).catch(() => false)

const MONTHS: Readonly<Record<string, number>> = { '3m': 3, '6m': 6, '1y': 12 }

/** When a password of this validity, set at a moment, expires; null: never. */
export function passwordEnd(validity: string, setAt: number): number | null {
  const months = MONTHS[validity]
  if (months === undefined) return null
  return Temporal.Instant.fromEpochMilliseconds(setAt).toZonedDateTimeISO('UTC').add({ months }).epochMilliseconds
}

/** A first password for somebody else: keeps every rule, can be read out over the telephone. */
export function inventPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz'
  const random = [...randomBytes(7)].map((byte) => letters[byte % letters.length]).join('')
  const digits = String(randomBytes(2).readUInt16BE() % 1000).padStart(3, '0')
  return `${random[0]!.toUpperCase()}${random.slice(1, 5)}-${random.slice(5)}${digits}`
}

/**
 * The new password of a form, as it was opened, where it was typed twice alike and keeps the rules.
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

/** The password an account has, as it was opened from a field of a form. @throws InvalidRequest for an empty or unreadable one */
export function demandPassword(path: 'oldPassword' | 'password', password: string | null): string {
  if (password === null || password === '') throw new InvalidRequest([{ path, rule: password === null ? 'invalid' : 'required' }])
  return password
}

/** Refuses the password an account has already. @throws 100419 */
export async function demandAnother(account: Pick<data.Account, 'passwordHash'>, password: string): Promise<void> {
  if (await isPassword(account.passwordHash, password)) refuse(100419, 'newPassword')
}

/** Stores an account's own new password: it opens a lock and holds as long as the account's validity says. */
export async function storeOwnPassword(
  tx: OpenTransaction,
  account: Pick<data.Account, 'id' | 'passwordValidity'>,
  passwordHash: string,
  now: number,
): Promise<void> {
  await data.updatePasswordUnscoped(tx as unknown as Tx<IdentityTables>, account.id, {
    passwordHash,
    changedAt: now,
    expiresAt: passwordEnd(account.passwordValidity, now),
    mustChange: false,
  })
}
