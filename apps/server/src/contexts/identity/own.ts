/** What users do with their own account: data, password, sessions, codes to a telephone. */
import type { Language } from '@gatehouse/contract'
import { isTelephone } from '@gatehouse/contract/account'
import { personal, type OwnSession } from '@gatehouse/contract/identity/own'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { unmasked } from '../../platform/session/masking.ts'
import { InvalidRequest, NotFound, Refusal, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { CODE_MINUTES, type Codes } from './codes.ts'
import * as data from './data.ts'
import { refusedLogin, type Closed, type Proofs } from './login-proof.ts'
import * as ownData from './own-data.ts'
import { openNumbers, sealNumbers, type PersonalNumbers } from './personal-numbers.ts'
import { demandAnother, hashPassword, isFirstPasswordOver, storePassword } from './password.ts'
import type { IdentityTables } from './schema.ts'
import type { Sessions } from './sessions.ts'
import { emailTakenUnscoped } from './users-data.ts'

export type PersonalData = z.output<typeof personal>

export interface OwnAccount {
  /** The account of a user's session with its telephone and ID card. @throws Refusal 100510 for an API user, who has none */
  read(session: Session): Promise<data.Account & PersonalNumbers>
  /** The address and telephone there were before are told of others. */
  updatePersonal(session: Session, body: PersonalData, language: Language): Promise<{ id: string }>
  /** @throws Refusal 100406 for a wrong old password, 100419 for the same one again, 903 after six wrong ones */
  changePassword(session: Session, passwords: { old: string; new: string }, ip: string, language: Language): Promise<{ id: string }>
  /** The password once more. @throws Refusal 100401 for a wrong one, 903 after six of them */
  confirm(session: Session, password: string, ip: string): Promise<{ until: number }>
  /**
   * A password the login no longer takes.
   *
   * @throws as `changePassword`, and as a login does; InvalidRequest for a first password that was not used in time
   */
  changeExpired(request: {
    account: string
    /** Opens them, once the address may try. */
    passwords: () => Promise<{ old: string; new: string }>
    captcha?: string | undefined
    knownDevice?: string | undefined
    otp?: string | undefined
    ip: string
    language: Language
  }): Promise<{ id: string }>
  sessions(session: Session): Promise<OwnSession[]>
  endSession(session: Session, id: string): Promise<{ id: string }>
  endOtherSessions(session: Session): Promise<{ ended: number }>
  phoneCode(session: Session, phone: string, ip: string, language: Language): Promise<{ validMinutes: number; delivered: boolean }>
  checkPhoneCode(session: Session, phone: string, code: string, ip: string): Promise<{ verified: boolean }>
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  proofs: Proofs
  codes: Codes
}

export function createOwnAccount(platform: Platform, { organisation, sessions, proofs, codes }: Parts): OwnAccount {
  const db = platform.db as unknown as Database<IdentityTables>

  async function read(session: Session): Promise<data.Account & PersonalNumbers> {
    const account = session.kind === 'user' ? await data.findAccountUnscoped(db, { id: session.userId }) : undefined
    if (account === undefined) forbid()
    return { ...account, ...(await openNumbers(platform, account)) }
  }

  /** Stores a password the user chose, and ends every session. */
  async function replacePassword(account: data.Account, password: string, language: Language): Promise<{ id: string }> {
    await demandAnother(account, password)
    const passwordHash = await hashPassword(password)
    await platform.transaction(async (tx: Tx<IdentityTables>) => {
      await storePassword(platform, tx as never, account, { passwordHash, mustChange: false, language })
      await sessions.revokeAllIn(tx as never, { userId: account.id }, null)
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

  const wrongOld: Parameters<Proofs['prove']>[0]['wrong'] = (found) =>
    new Refusal(100406, { ...found, fields: [{ path: 'oldPassword', rule: 'code.100406' }] })

  /** Why an account may not change its password though the one it has is right. */
  function closed(account: data.Account): Closed | null {
    const now = platform.clock.now()
    if (!account.enabled) return { code: 901, refusal: refusedLogin(901) }
    if (account.expiresAt !== null && account.expiresAt <= now) return { code: 904, refusal: refusedLogin(904) }
    if (!isFirstPasswordOver(account, now)) return null
    return { code: 902, refusal: new InvalidRequest([{ path: 'oldPassword', rule: 'firstPasswordOver' }]) }
  }

  function phoneSubject(session: Session, phone: string, ip: string) {
    if (!isTelephone(phone)) refuse(900114, 'phone')
    return { subject: `phone ${session.userId} ${phone}`, counted: session.userId, ip }
  }

  return {
    read,
    async updatePersonal(session, body, language) {
      const stored = await read(session)
      const sent = unmasked(session, personal, body, {
        realName: stored.realName,
        email: stored.email,
        telephone: stored.telephone,
        idCard: stored.idCard,
      })
      const { realName = stored.realName } = sent
      // Absent: as it is. Null: none.
      const valueOf = (field: 'email' | 'telephone' | 'idCard'): string => (sent[field] === undefined ? stored[field] : (sent[field] ?? ''))
      const [email, telephone, idCard] = [valueOf('email'), valueOf('telephone'), valueOf('idCard')]
      if (email.includes('*')) throw new InvalidRequest([{ path: 'email', rule: 'email' }])
      if (!isTelephone(telephone)) refuse(900114, 'telephone')
      const sealed = await sealNumbers(platform, stored.id, { telephone, idCard })
      const told = [
        ...(email === stored.email ? [] : (['emailChanged'] as const)),
        ...(telephone === stored.telephone ? [] : (['telephoneChanged'] as const)),
      ]
      await sessions.changing([stored.id], async (tx) => {
        if (!platform.config.privatised && email !== '' && (await emailTakenUnscoped(tx, email, stored.id))) refuse(100112, 'email')
        await ownData.updatePersonalUnscoped(tx, stored.id, { realName, email, ...sealed }, platform.clock.now())
        platform.audit.note({
          entity: 'user',
          id: stored.id,
          label: realName,
          labelMask: 'name',
          before: { realName: stored.realName, email: stored.email, telephone: stored.telephone, idCard: stored.idCard },
          after: { realName, email, telephone, idCard },
        })
        if (stored.email === '') return
        const written = await data.mailLanguageUnscoped(tx, stored.id, language)
        for (const text of told)
          await platform.messages.send(tx as never, {
            channel: 'email',
            to: stored.email,
            userId: stored.id,
            ...mailText(written, text, { account: stored.account }),
          })
      })
      return { id: stored.id }
    },
    async changePassword(session, passwords, ip, language) {
      const { account } = await read(session)
      const proved = await proofs.prove({ account, password: passwords.old, ip, wrong: wrongOld, loggedIn: session.tokenId })
      return replacePassword(proved, passwords.new, language)
    },
    async confirm(session, password, ip) {
      const { account } = await read(session)
      await proofs.prove({
        account,
        password,
        ip,
        wrong: (found) => refusedLogin(100401, { ...found, fields: [{ path: 'password', rule: 'code.100401' }] }),
        loggedIn: session.tokenId,
      })
      return { until: await sessions.confirm(session) }
    },
    async changeExpired({ account: name, passwords, captcha, knownDevice, otp, ip, language }) {
      let password = ''
      const old = async (): Promise<string> => {
        const opened = await passwords()
        // Said before a code is taken for it.
        if (opened.new === opened.old) refuse(100419, 'newPassword')
        password = opened.new
        return opened.old
      }
      const account = await proofs.prove({ account: name, password: old, captcha, knownDevice, otp, ip, closed, wrong: wrongOld })
      const parkId = account.lastParkId ?? organisation.parksBelow(account.organisationId)[0]?.id ?? account.organisationId
      platform.audit.actAs({ parkId, userId: account.id, account: account.account, operator: account.realName, source: 'local' })
      return replacePassword(account, password, language)
    },
    async sessions(session) {
      if (session.kind === 'client') return []
      const rows = await sessions.openOf(session.userId)
      return rows.map(({ id, parkId, ip, agent, createdAt, seenAt }) => ({
        id,
        current: id === session.tokenId,
        ip,
        agent,
        parkName: organisation.get(parkId)?.name ?? '',
        createdAt,
        seenAt,
      }))
    },
    async endSession(session, id) {
      const found = session.kind === 'user' ? (await sessions.openOf(session.userId)).find((one) => one.id === id) : undefined
      if (found === undefined) throw new NotFound()
      await sessions.revoke({ tokenId: id, park: organisation.park({ parkId: found.parkId }) })
      return { id }
    },
    endOtherSessions: async (session) => ({
      ended: session.kind === 'client' ? 0 : await sessions.revokeAll({ userId: session.userId }, session.tokenId),
    }),
    async phoneCode(session, phone, ip, language) {
      const code = await codes.make(phoneSubject(session, phone, ip))
      await platform.transaction(async (tx) => {
        await platform.messages.send(tx as never, {
          channel: 'sms',
          to: phone,
          userId: session.kind === 'user' ? session.userId : null,
          usefulMs: CODE_MINUTES * 60_000,
          ...mailText(language, 'phoneCode', { code, minutes: String(CODE_MINUTES) }),
        })
      })
      // There is no provider of text messages yet: it stays in the outbox.
      return { validMinutes: CODE_MINUTES, delivered: false }
    },
    async checkPhoneCode(session, phone, code, ip) {
      await codes.check(phoneSubject(session, phone, ip), code)
      return { verified: true }
    },
  }
}
