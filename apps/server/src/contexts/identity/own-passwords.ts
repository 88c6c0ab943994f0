/** A user's own password: its change, with or without a session, and the confirmation of a session by it. */
import type { Language } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, Refusal, refuse } from '../../platform/http/refusal.ts'
import type { Account } from './data.ts'
import type { Proofs } from './login-proof.ts'
import type { Closed } from './login-proof-types.ts'
import { refusedLogin } from './login-refusals.ts'
import type { OwnParts, OwnAccount } from './own-types.ts'
import { demandAnother, hashPassword, isFirstPasswordOver, storePassword } from './password.ts'

export function createOwnPasswords(
  platform: Platform,
  { organisation, sessions, proofs }: Omit<OwnParts, 'codes'>,
  read: OwnAccount['read'],
): Pick<OwnAccount, 'changePassword' | 'confirm' | 'changeExpired'> {
  /** Store a password that the user chose, and end every session. */
  async function replacePassword(account: Account, password: string, language: Language): Promise<{ id: string }> {
    await demandAnother(account, password)
    const passwordHash = await hashPassword(password)
    await platform.transaction(async (tx) => {
      await storePassword(platform, tx, account, { passwordHash, mustChange: false, language })
      await sessions.revokeAllIn(tx, { userId: account.id }, null)
      platform.audit.note({
        entity: 'user',
        id: account.id,
        label: account.realName,
        labelMask: 'name',
        before: { password: 'old' },
        after: { password: 'new' },
      })
    })
    sessions.forgetOwners([account.id])
    return { id: account.id }
  }

  const wrongOldPassword: Parameters<Proofs['prove']>[0]['wrong'] = (counts) =>
    new Refusal(100406, { ...counts, fields: [{ path: 'oldPassword', rule: 'code.100406' }] })

  /** Return why an account may not change its password although the current one is right; null: it may. */
  function closed(account: Account): Closed | null {
    const now = platform.clock.now()
    if (!account.enabled) return { code: 901, refusal: refusedLogin(901) }
    if (account.expiresAt !== null && account.expiresAt <= now) return { code: 904, refusal: refusedLogin(904) }
    if (!isFirstPasswordOver(account, now)) return null
    return { code: 902, refusal: new InvalidRequest([{ path: 'oldPassword', rule: 'firstPasswordOver' }]) }
  }

  return {
    async changePassword(session, passwords, ip, language) {
      const { account } = await read(session)
      const proved = await proofs.prove({ account, password: passwords.old, ip, wrong: wrongOldPassword, loggedIn: session.tokenId })
      return replacePassword(proved, passwords.new, language)
    },
    async confirm(session, password, ip) {
      const { account } = await read(session)
      await proofs.prove({
        account,
        password,
        ip,
        wrong: (counts) => refusedLogin(100401, { ...counts, fields: [{ path: 'password', rule: 'code.100401' }] }),
        loggedIn: session.tokenId,
      })
      return { until: await sessions.confirm(session) }
    },
    async changeExpired({ account: name, passwords, captcha, knownDevice, otp, ip, language }) {
      let password = ''
      const old = async (): Promise<string> => {
        const opened = await passwords()
        // Refused before a code of the second factor is spent on it.
        if (opened.new === opened.old) refuse(100419, 'newPassword')
        password = opened.new
        return opened.old
      }
      const account = await proofs.prove({ account: name, password: old, captcha, knownDevice, otp, ip, closed, wrong: wrongOldPassword })
      const parkId = account.lastParkId ?? organisation.parksBelow(account.organisationId)[0]?.id ?? account.organisationId
      platform.audit.actAs({ parkId, userId: account.id, account: account.account, operator: account.realName, source: 'local' })
      return replacePassword(account, password, language)
    },
  }
}
