/** A forgotten password, replaced with a mailed code. Neither the text nor the timing of an answer reveals whether an account exists. */
import { setImmediate } from 'node:timers/promises'
import type { Language } from '@gatehouse/contract'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { mailText } from '../../platform/texts.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { CODE_MINUTES, type Codes, type CodeSubject } from './codes.ts'
import * as data from './data.ts'
import { demandAnother, hashPassword, storePassword } from './password.ts'
import { endScreenLinks } from './screen-links.ts'
import type { Sessions } from './sessions-types.ts'

export interface ForgottenPassword {
  sendCode(request: { account: string; ip: string; language: Language }): Promise<{ validMinutes: number; delivered: boolean }>
  checkCode(request: { account: string; ip: string; code: string }): Promise<{ ticket: string; validMinutes: number }>
  /**
   * Set a new password, open a lock, and end all sessions and the links that open data screens.
   *
   * @param newPassword opens the new password; called once the ticket is found valid
   * @throws Refusal 100115 for an invalid ticket
   */
  reset(ticket: string, newPassword: () => Promise<string>, language: Language): Promise<{ id: string }>
  /** Wait for messages that are being sent. */
  stop(): Promise<void>
}

interface Parts {
  organisation: OrganisationService
  codes: Codes
  sessions: Sessions
}

export function createForgottenPassword(platform: Platform, { organisation, codes, sessions }: Parts): ForgottenPassword {
  const db = platform.db
  const underWay = new Set<Promise<void>>()
  const about = (account: string, ip: string): CodeSubject => ({
    subject: `password ${account.toLowerCase()}`,
    counted: `${account.toLowerCase()} from ${networkOf(ip)}`,
    everywhere: account.toLowerCase(),
    ip,
  })

  /** Return whether a code may be mailed to the account: it could log in with a new password. */
  const reachable = (account: data.Account | undefined): account is data.Account =>
    account !== undefined &&
    account.enabled &&
    account.email !== '' &&
    (account.expiresAt === null || account.expiresAt > platform.clock.now())

  function actAs({ id, account, realName, lastParkId, organisationId }: data.Account): void {
    platform.audit.actAs({
      parkId: lastParkId ?? organisation.parksBelow(organisationId)[0]?.id ?? organisationId,
      userId: id,
      account,
      operator: realName,
      source: 'local',
    })
  }

  async function mail(account: data.Account, code: string, language: Language): Promise<void> {
    // After the answer: the entry in the operation log would make it take longer, too.
    await setImmediate()
    actAs(account)
    await platform.transaction(async (tx) => {
      const written = await data.mailLanguageUnscoped(tx, account.id, language)
      await platform.messages.send(tx, {
        channel: 'email',
        to: account.email,
        userId: account.id,
        usefulMs: CODE_MINUTES * 60_000,
        ...mailText(written, 'passwordCode', { account: account.account, code, minutes: String(CODE_MINUTES) }),
      })
    })
  }

  return {
    async sendCode({ account: name, ip, language }) {
      const account = await data.findAccountUnscoped(db, { account: name })
      // Null: a code was mailed within the last minute, and a mailbox must not be filled faster. The answer is the same.
      const code = await codes.makeUnlessRecent(about(name, ip), account?.id ?? null)
      if (code !== null && reachable(account)) {
        // Not awaited: the answer must not take longer for an account that exists.
        const sent = mail(account, code, language)
          .catch((error: unknown) => platform.log.error({ err: error }, 'a code could not be sent'))
          .finally(() => underWay.delete(sent))
        underWay.add(sent)
      }
      return { validMinutes: CODE_MINUTES, delivered: platform.messages.delivers }
    },
    async checkCode({ account, ip, code }) {
      return { ticket: await codes.exchange(about(account, ip), code), validMinutes: CODE_MINUTES }
    },
    async reset(ticket, newPassword, language) {
      const userId = await codes.holderOf(ticket)
      const account = userId === null ? undefined : await data.findAccountUnscoped(db, { id: userId })
      if (!reachable(account)) refuse(100115, 'ticket')
      const password = await newPassword()
      await demandAnother(account, password)
      const passwordHash = await hashPassword(password)
      actAs(account)
      await platform.transaction(async (tx) => {
        // A second request with the same ticket is refused.
        if (!(await codes.dropTicket(tx, ticket))) refuse(100115, 'ticket')
        await storePassword(platform, tx, account, { passwordHash, mustChange: false, language })
        await sessions.revokeAllIn(tx, { userId: account.id }, null)
        await endScreenLinks(platform, tx, account.id)
        platform.audit.note({
          entity: 'user',
          id: account.id,
          label: account.realName,
          labelMask: 'name',
          before: {},
          after: { password: 'reset' },
        })
      })
      sessions.forgetOwners([account.id])
      return { id: account.id }
    },
    async stop() {
      await Promise.all(underWay)
    },
  }
}
