/** Passwords that administrators set for the accounts of others. */
import type { Language } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import { mask } from '@gatehouse/contract/masking'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { mailText } from '../../platform/texts.ts'
import { mailLanguageUnscoped } from './data.ts'
import { hashPassword, inventPassword, storePassword } from './password.ts'
import { assertMayUnmask, assertOtherAccount } from './policy.ts'
import { endScreenLinks } from './screen-links.ts'
import { demandEnabled } from './user-rows.ts'
import type { UserRows } from './user-rows-types.ts'
import type { UserParts, UserService } from './users-types.ts'
import type { HandedPassword } from './user-passwords-types.ts'

export interface UserPasswords extends Pick<UserService, 'resetPassword'> {
  /** Open a password that was sent encrypted. @throws InvalidRequest for one that cannot be opened; Refusal 100420 for a weak one */
  open(cipherText: string): Promise<string>
  /** Return a password to the caller, or send it to the user. */
  hand(
    tx: Transaction,
    user: { id: string; account: string; email: string },
    password: string,
    sendByEmail: boolean,
    language: Language,
  ): Promise<HandedPassword>
}

export function createUserPasswords(
  platform: Platform,
  { sessions, cipherTexts }: Pick<UserParts, 'sessions' | 'cipherTexts'>,
  { actedOn }: Pick<UserRows, 'actedOn'>,
): UserPasswords {
  const hand: UserPasswords['hand'] = async (tx, user, password, sendByEmail, language) => {
    if (!sendByEmail) return { id: user.id, initialPassword: password }
    const mailLanguage = await mailLanguageUnscoped(tx, user.id, language)
    await platform.messages.send(tx, {
      channel: 'email',
      to: user.email,
      userId: user.id,
      ...mailText(mailLanguage, 'firstPassword', { account: user.account, password }),
    })
    return { id: user.id, sentTo: mask('email', user.email) }
  }

  return {
    hand,
    async open(cipherText) {
      const { password } = await cipherTexts.open({ password: cipherText })
      if (password === null) throw new InvalidRequest([{ path: 'password', rule: 'invalid' }])
      if (passwordFault(password) !== null) refuse(100420, 'password')
      return password
    },
    async resetPassword(session, id, sendByEmail, language) {
      const row = await actedOn(session, id)
      assertOtherAccount(session, id)
      demandEnabled(row)
      // With the password the caller could log in as a user who sees more.
      assertMayUnmask(session, row.masking)
      if (sendByEmail && row.email === '') refuse(1200001)
      const password = inventPassword()
      const passwordHash = await hashPassword(password)
      const handed = await platform.transaction(async (tx) => {
        await storePassword(platform, tx, row, { passwordHash, mustChange: true, language })
        platform.audit.note({ entity: 'user', id, label: row.account, before: { password: '' }, after: { password: 'reset' } })
        await sessions.revokeAllIn(tx, { userId: id }, null)
        await endScreenLinks(platform, tx, id)
        return hand(tx, row, password, sendByEmail, language)
      })
      sessions.forgetOwners([id])
      return handed
    },
  }
}
