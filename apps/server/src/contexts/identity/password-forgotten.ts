/** A forgotten password, by a code that is mailed. No answer, in words or in time, tells whether there is such an account. */
import { setImmediate } from 'node:timers/promises'
import type { Language } from '@gatehouse/contract'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { mailText } from '../../platform/texts.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { CODE_MINUTES, type Codes, type CodeSubject } from './codes.ts'
import * as data from './data.ts'
import { demandAnother, hashPassword, storePassword } from './password.ts'
import type { IdentityTables } from './schema.ts'
import { endScreenLinks } from './screen-links.ts'
import type { Sessions } from './sessions.ts'

export interface ForgottenPassword {
  sendCode(request: { account: string; ip: string; language: Language }): Promise<{ validMinutes: number; delivered: boolean }>
  checkCode(request: { account: string; ip: string; code: string }): Promise<{ ticket: string; validMinutes: number }>
  /**
   * Sets a new password, opens a lock, ends all sessions and the links that open data screens.
   *
   * @param newPassword opens it, once the ticket holds
   * @throws Refusal 100115 for a ticket that does not hold
   */
  reset(ticket: string, newPassword: () => Promise<string>, language: Language): Promise<{ id: string }>
  /** Waits for the messages that are on their way. */
  stop(): Promise<void>
}

interface Parts {
  organisation: OrganisationService
  codes: Codes
  sessions: Sessions
}

export function createForgottenPassword(platform: Platform, { organisation, codes, sessions }: Parts): ForgottenPassword {
  const db = platform.db as unknown as Database<IdentityTables>
  const underWay = new Set<Promise<void>>()
  const about = (account: string, ip: string): CodeSubject => ({
    subject: `password ${account.toLowerCase()}`,
    counted: `${account.toLowerCase()} from ${networkOf(ip)}`,
    everywhere: account.toLowerCase(),
    ip,
  })

  /** Whom a code may be mailed to: who could log in with a new password. */
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
    // After the answer: the entry in the operation log, too, would make it take longer.
    await setImmediate()
    actAs(account)
    await platform.transaction(async (tx: Tx<IdentityTables>) => {
      const written = await data.mailLanguageUnscoped(tx, account.id, language)
      await platform.messages.send(tx as never, {
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
      // Null: one was mailed within the last minute, and nobody's mailbox is filled faster. The answer is the same.
      const code = await codes.makeUnlessRecent(about(name, ip), account?.id ?? null)
      if (code !== null && reachable(account)) {
        // Not waited for: the answer must not take longer for an account that exists.
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
      await platform.transaction(async (tx: Tx<IdentityTables>) => {
        // Whoever comes second with the same ticket is refused.
        if (!(await codes.dropTicket(tx, ticket))) refuse(100115, 'ticket')
        await storePassword(platform, tx as never, account, { passwordHash, mustChange: false, language })
        await sessions.revokeAllIn(tx as never, { userId: account.id }, null)
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
