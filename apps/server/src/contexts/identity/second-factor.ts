/** The second factor of an account: setting it up, doing without it, and what the installation demands. */
import { CODES_PER_DAY, LOCK_FOR, type Language } from '@gatehouse/contract'
import { ENROLMENT_MINUTES, type DemandedOf, type SecondFactorState } from '@gatehouse/contract/identity/second-factor'
import qrcode from 'qrcode'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { InvalidRequest, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Session } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { findAccountUnscoped, mailLanguageUnscoped, rolesOfUnscoped, type Account } from './data.ts'
import type { Attempts } from './login-attempts.ts'
import { makeRecoveryCodes, makeSecret, readCode, stepOf } from './one-time-codes.ts'
import { powerOf, type Privilege } from './privilege.ts'
import type { IdentityTables } from './schema.ts'
import type { SecondFactorCheck } from './second-factor-check.ts'
import * as data from './second-factor-data.ts'
import type { SecondFactorDemand } from './second-factor-demand.ts'
import type { Sessions } from './sessions.ts'
import { findUserUnscoped } from './users-data.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const QR_WIDTH = 240

export interface SecondFactors {
  read(session: Session): Promise<SecondFactorState>
  /** @param code of the factor there is @throws Refusal 100115 for a wrong one, 100114 after too many */
  begin(session: Session, code: string | undefined): Promise<{ secret: string; uri: string; qr: string; validMinutes: number }>
  /** @throws as `begin` */
  confirm(session: Session, code: string, language: Language): Promise<{ recoveryCodes: string[] }>
  /** @throws as `begin` */
  renewRecoveryCodes(session: Session, code: string): Promise<{ recoveryCodes: string[] }>
  /** @throws as `begin`; Refusal 100510 where it is demanded */
  remove(session: Session, code: string, language: Language): Promise<{ id: string }>
  /** Removes that of somebody else, where there is one. @throws Refusal 100510 for an account that has more than the caller */
  reset(session: Session, id: string, language: Language): Promise<{ id: string }>
  config(): { demandedOf: DemandedOf; version: number }
  /** @throws Refusal 100510 for whoever demands it without having one */
  configure(session: Session, config: { demandedOf: DemandedOf }, version: number | undefined): Promise<void>
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
  attempts: Attempts
  check: SecondFactorCheck
  demand: SecondFactorDemand
}

export function createSecondFactors(
  platform: Platform,
  { organisation, sessions, privilege, attempts, check, demand }: Parts,
): SecondFactors {
  const { clock, crypto, audit, messages } = platform
  const db = platform.db as unknown as Database<IdentityTables>

  /** The account of a user's session; an API user has none. */
  async function accountOf(session: Session): Promise<Account> {
    const account = session.kind === 'user' ? await findAccountUnscoped(db, { id: session.userId }) : undefined
    return account ?? forbid()
  }

  /** Counts a code that is tried, and takes it back once it was right. @param tried what comes of it; null: it was wrong */
  async function counted<T>(subject: string, windowMs: number, tried: () => Promise<T | null>): Promise<T> {
    if ((await attempts.add(db, subject, clock.now() + windowMs)) > CODES_PER_DAY) refuse(100114, 'code')
    const found = (await tried()) ?? refuse(100115, 'code')
    await attempts.giveBack(subject)
    return found
  }

  /** Takes a code of the factor there is. */
  const demandCode = (userId: string, code: string): Promise<true> =>
    counted(`second factor of ${userId}`, DAY, async () => (await check.take(userId, code)) || null)

  /** The secret of an account that waits to be confirmed, where this is one of its one-time passwords. */
  async function pendingOf(id: string, code: string): Promise<{ pending: Buffer; bytes: Buffer; step: number } | null> {
    const now = clock.now()
    const pending = await data.findPendingUnscoped(db, id, now)
    if (pending === null) return null
    const bytes = await crypto.open(INSTALLATION_ID, placeOf(data.FACTOR_PENDING, id), pending)
    const step = stepOf(bytes, readCode(code).text, now)
    return step === null ? null : { pending, bytes, step }
  }

  async function tell(
    tx: OpenTransaction,
    { id, account, email }: Pick<Account, 'id' | 'account' | 'email'>,
    text: 'secondFactorSet' | 'secondFactorRemoved' | 'secondFactorReset',
    language: Language,
  ): Promise<void> {
    if (email === '') return
    const written = await mailLanguageUnscoped(tx as never, id, language)
    await messages.send(tx, { channel: 'email', to: email, userId: id, ...mailText(written, text, { account }) })
  }

  const note = ({ id, realName }: Pick<Account, 'id' | 'realName'>, before: object, after: object): void =>
    audit.note({ entity: 'user', id, label: realName, labelMask: 'name', before: { ...before }, after: { ...after } })

  /** Makes recovery codes in the place of those there were. */
  async function newRecoveryCodes(tx: Tx<IdentityTables>, userId: string): Promise<string[]> {
    const codes = makeRecoveryCodes()
    await data.replaceRecoveryCodesUnscoped(
      tx,
      userId,
      codes.map((code) => check.hashOf(userId, code)),
    )
    return codes
  }

  /** An account of somebody else that the caller may act on, as whoever resets its password must. */
  async function actedOn(session: Session, id: string) {
    const row = await findUserUnscoped(db, id, clock.now())
    if (row === undefined || !privilege.reaches(session, row.organisationId)) throw new NotFound()
    if (!(await privilege.covered(session, [id])).has(id) || (session.masking && !row.masking)) forbid()
    if (id === session.userId) throw new InvalidRequest([{ path: 'id', rule: 'ownAccount' }])
    return row
  }

  return {
    async read(session) {
      const { id } = await accountOf(session)
      const [{ secret, since, recoveryCodesLeft }, roles] = await Promise.all([data.findFactorUnscoped(db, id), rolesOfUnscoped(db, id)])
      // By the roles themselves: a session that lacks the factor counts as another sign.
      return { enrolled: secret !== null, since, recoveryCodesLeft, demanded: demand.isDemandedOf(powerOf(roles).roleSign) }
    },
    async begin(session, code) {
      const { id, account } = await accountOf(session)
      if (await check.isEnrolled(id)) {
        if (code === undefined) throw new InvalidRequest([{ path: 'code', rule: 'required' }])
        await demandCode(id, code)
      }
      const { bytes, base32: secret, uri } = makeSecret({ account, installation: organisation.root().name })
      const pending = await crypto.seal(INSTALLATION_ID, placeOf(data.FACTOR_PENDING, id), bytes)
      await data.setPendingUnscoped(db, id, pending, clock.now() + ENROLMENT_MINUTES * MINUTE)
      return { secret, uri, qr: await qrcode.toDataURL(uri, { width: QR_WIDTH, margin: 2 }), validMinutes: ENROLMENT_MINUTES }
    },
    async confirm(session, code, language) {
      const account = await accountOf(session)
      const { id } = account
      // Whoever confirms was told the secret: what is counted keeps a mistyped code from being tried for ever, no more.
      const subject = `new second factor of ${id}`
      const { pending, bytes, step } = await counted(subject, LOCK_FOR * MINUTE, () => pendingOf(id, code))
      const secret = await crypto.seal(INSTALLATION_ID, placeOf(data.FACTOR_SECRET, id), bytes)
      const isAnother = await check.isEnrolled(id)
      const recoveryCodes = await platform.transaction(async (tx: Tx<IdentityTables>) => {
        if (!(await data.confirmPendingUnscoped(tx, id, { pending, secret, step }, clock.now()))) refuse(100115, 'code')
        const codes = await newRecoveryCodes(tx, id)
        // Whoever opened them, or made them known, did so without it.
        await data.forgetKnownDevicesUnscoped(tx, id)
        await sessions.revokeAllIn(tx as never, { userId: id }, session.tokenId)
        await sessions.refreshOwners(tx as never, [id])
        await tell(tx as never, account, 'secondFactorSet', language)
        note(account, { secondFactor: isAnother ? 'old' : false }, { secondFactor: isAnother ? 'new' : true })
        return codes
      })
      sessions.forgetOwners([id])
      return { recoveryCodes }
    },
    async renewRecoveryCodes(session, code) {
      const account = await accountOf(session)
      await demandCode(account.id, code)
      return platform.transaction(async (tx: Tx<IdentityTables>) => {
        note(account, { recoveryCodes: 'old' }, { recoveryCodes: 'new' })
        return { recoveryCodes: await newRecoveryCodes(tx, account.id) }
      })
    },
    async remove(session, code, language) {
      const account = await accountOf(session)
      if (demand.isDemandedOf(session.roleSign)) forbid('code', 'secondFactorDemanded')
      await demandCode(account.id, code)
      await sessions.changing([account.id], async (tx) => {
        await data.deleteFactorUnscoped(tx, account.id)
        await tell(tx as never, account, 'secondFactorRemoved', language)
        note(account, { secondFactor: true }, { secondFactor: false })
      })
      return { id: account.id }
    },
    async reset(session, id, language) {
      const row = await actedOn(session, id)
      await sessions.changing([id], async (tx) => {
        if (!(await data.deleteFactorUnscoped(tx, id))) return
        await data.forgetKnownDevicesUnscoped(tx, id)
        await sessions.revokeAllIn(tx as never, { userId: id }, null)
        await tell(tx as never, row, 'secondFactorReset', language)
        audit.note({ entity: 'user', id, label: row.account, before: { secondFactor: true }, after: { secondFactor: false } })
      })
      return { id }
    },
    config: () => demand.config(),
    async configure(session, config, version) {
      if (config.demandedOf !== 'nobody' && !(await check.isEnrolled(session.userId))) forbid('demandedOf', 'secondFactorFirst')
      await demand.configure(config, version)
      sessions.forgetOwners()
    },
  }
}
