/** The password of an installation's first administrator that was printed and never used. */
import type { Platform } from '../../platform/context.ts'
import { findAccountUnscoped, countAccountsUnscoped, updatePasswordUnscoped } from './data.ts'
import { hashPassword, inventPassword, isFirstPasswordOver } from './password.ts'

/**
 * Make another password for `admin` where the one printed at the first start was not used in time. While there is no other account, nobody
 * could reset it.
 *
 * @returns the password, to be printed; null where there is nothing to renew
 */
export async function renewFirstPassword(platform: Platform): Promise<string | null> {
  const db = platform.db
  const [count, account] = await Promise.all([countAccountsUnscoped(db), findAccountUnscoped(db, { account: 'admin' })])
  const now = platform.clock.now()
  if (count !== 1 || account === undefined || !isFirstPasswordOver(account, now)) return null
  const password = inventPassword()
  await updatePasswordUnscoped(db, account.id, {
    passwordHash: await hashPassword(password),
    changedAt: now,
    expiresAt: account.passwordExpiresAt,
    mustChange: true,
  })
  return password
}
