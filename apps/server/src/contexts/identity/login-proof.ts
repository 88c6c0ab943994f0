/**
 * Who is this: a name, a password and a code of the second factor where there is one, asked for at login and wherever a password is
 * changed. Whether an account has a second factor is told to nobody who lacks its password. Names that nobody has are
 * counted and locked like those of accounts, so that no answer tells which names exist. Each try is counted before anything is
 * done for it, and taken back when it succeeds.
 */
import { randomBytes } from 'node:crypto'
import { LOCK_AFTER, LOCK_FOR, type BusinessCode } from '@gatehouse/contract'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Captchas } from './captcha.ts'
import * as data from './data.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Attempts } from './login-attempts.ts'
import type { Counted, Line, LoginFailures } from './login-failures.ts'
import { hashPassword, isPassword } from './password.ts'
import type { IdentityTables } from './schema.ts'
import type { SecondFactorCheck } from './second-factor-check.ts'

type LoginCode = 901 | 902 | 903 | 904 | 905 | 906 | 907

/** A refusal of the token call and its kin: HTTP 400 with a login code, or a business code. */
export const refusedLogin = (code: LoginCode | 100401 | 100406 | 100412 | 100413, extra?: Record<string, unknown>): Refusal =>
  new Refusal(code as BusinessCode, extra, 400)

/** Failures from which on a captcha is asked for. */
const CAPTCHA_AFTER = 3
/** Failures from one address within the time of a lock, whatever the names: a house behind one address makes mistakes too. */
const ADDRESS_LIMIT = 300
const MINUTE = 60_000

/** Why an account may not come in, and what is answered. */
export interface Closed {
  code: LoginCode | 100413
  refusal: Error
}

export interface Claim {
  account: string
  /** Opens it once the address has been counted; null: nothing that could be read. What it throws is not counted. */
  password: string | (() => Promise<string | null>)
  captcha?: string | undefined
  /** What the browser was told at an earlier login. */
  knownDevice?: string | undefined
  /** One-time password or recovery code, once one was asked for. */
  otp?: string | undefined
  ip: string
  /** Why an account may not come in though its password is right; looked at before a code is asked for, and noted in the log. */
  closed?: (account: data.Account) => Closed | null
  /** What a wrong password answers: that of a login, or of a change. */
  wrong: (data: { failures: number; limit: number; captcha: boolean }) => Refusal
  /** The session of somebody who is logged in: the operation log knows who acts, and the second factor was asked for at the login. */
  loggedIn?: string
}

export interface Proofs {
  /**
   * The account, if that is its password, it is not closed, and the code is one of its second factor where it has one.
   *
   * @throws TooManyTries for an address with too many failures, or an account with too many wrong one-time passwords
   * @throws Refusal for a wrong password, a lock (903), a captcha that is missing or wrong (905), a code that is (906, 907)
   * @throws what `closed` answers
   */
  prove(claim: Claim): Promise<data.Account>
}

interface Parts {
  organisation: OrganisationService
  attempts: Attempts
  failures: LoginFailures
  knownDevices: KnownDevices
  captchas: Captchas
  secondFactor: SecondFactorCheck
}

/** Who it is; or why they may not come in although nothing they proved was wrong. */
type Outcome = { account: data.Account } | { refusal: Error }

export function createProofs(
  platform: Platform,
  { organisation, attempts, failures, knownDevices, captchas, secondFactor }: Parts,
): Proofs {
  const db = platform.db as unknown as Database<IdentityTables>
  // Compared against when the account does not exist, so that both answers take as long.
  const nobody = hashPassword(randomBytes(32).toString('base64url'))

  /** The log knows a name that was typed, not who typed it. */
  function actAs({ account: name, loggedIn }: Pick<Claim, 'account' | 'loggedIn'>, account: data.Account | undefined): void {
    if (loggedIn !== undefined) return
    const parkId = account?.lastParkId ?? account?.organisationId ?? organisation.root().id
    platform.audit.actAs({ parkId, userId: null, account: name, operator: account?.realName ?? '', source: 'local' })
  }

  /** Writes down that somebody was not let in. */
  async function refused(claim: Pick<Claim, 'account' | 'loggedIn'>, account: data.Account | undefined, code: number): Promise<void> {
    actAs(claim, account)
    await platform.transaction(async () => {
      platform.audit.note({ entity: 'refusedLogin', id: account?.id ?? newId(), label: claim.account, after: { refusedWith: code } })
    })
  }

  async function lineOf({ account: name, loggedIn, knownDevice, ip }: Claim, account: data.Account | undefined): Promise<Line> {
    const device = await knownDevices.recognise(knownDevice, account)
    const userId = account?.id ?? null
    // Only who holds it can fail in it, and whoever has taken one locks nobody out of the others.
    if (loggedIn !== undefined) return { name, userId, from: { kind: 'session', session: loggedIn } }
    return { name, userId, from: device === null ? { kind: 'address', network: networkOf(ip) } : { kind: 'device', device } }
  }

  const mayAskCaptcha = ({ loggedIn }: Claim): boolean => platform.config.captcha && loggedIn === undefined

  /** Whether a captcha is asked for at the next try. A known browser need not make up for the failures of others. */
  function needsCaptcha(claim: Claim, { from }: Line, { count, everywhere }: Pick<Counted, 'count' | 'everywhere'>): boolean {
    return mayAskCaptcha(claim) && (from.kind === 'device' ? count : everywhere) >= CAPTCHA_AFTER
  }

  /** What was proven wrong: a password, or a code. */
  async function failed(
    claim: Claim,
    account: data.Account | undefined,
    { lockedUntil }: Counted,
    wrong: { code: number; refusal: Refusal },
  ): Promise<Refusal> {
    await refused(claim, account, lockedUntil === null ? wrong.code : 903)
    return lockedUntil === null ? wrong.refusal : refusedLogin(903, { lockedUntil })
  }

  /**
   * What follows the right password. Where a second factor is asked for, the password alone forgets no failures: whoever knows it
   * could else try codes without end.
   */
  async function admitted(claim: Claim, account: data.Account, line: Line, counted: Counted): Promise<Outcome> {
    const { otp, loggedIn } = claim
    const asksCode = loggedIn === undefined && (await secondFactor.isEnrolled(account.id))
    const closed = claim.closed?.(account) ?? null
    if (closed !== null || !asksCode) {
      await (asksCode ? failures.takeBack(line) : failures.clear(line))
      if (closed === null) return { account }
      await refused(claim, account, closed.code)
      return { refusal: closed.refusal }
    }
    if (otp === undefined) {
      await failures.takeBack(line)
      const others = { count: counted.count - 1, everywhere: counted.everywhere - 1 }
      return { refusal: refusedLogin(906, { captcha: needsCaptcha(claim, line, others) }) }
    }
    const isRight = await (line.from.kind === 'device'
      ? secondFactor.take(account.id, otp)
      : secondFactor.takeFromStranger(account.id, otp))
    if (isRight) {
      await failures.clear(line)
      return { account }
    }
    const found = { failures: counted.count, limit: LOCK_AFTER, captcha: needsCaptcha(claim, line, counted) }
    throw await failed(claim, account, counted, { code: 907, refusal: refusedLogin(907, found) })
  }

  async function compared(claim: Claim, account: data.Account | undefined, line: Line, password: string | null): Promise<Outcome> {
    const { captcha = '' } = claim
    const before = await failures.read(line)
    // While locked even the right password is refused, and tries do not prolong the lock.
    if (before.lockedUntil !== null) {
      await refused(claim, account, 903)
      throw refusedLogin(903, { lockedUntil: before.lockedUntil })
    }
    const wrongCaptcha = async (): Promise<Refusal> => {
      await refused(claim, account, 905)
      return refusedLogin(905)
    }
    // The password is not looked at before the captcha is right: without one no answer tells anything about it.
    const isSolved = captcha !== '' && mayAskCaptcha(claim) && (await captchas.solved(captcha))
    if (!isSolved && (captcha !== '' || needsCaptcha(claim, line, before))) throw await wrongCaptcha()
    // Others failed meanwhile: of many tries at once no more than the first few are compared without a captcha.
    const counted = await failures.add(line, isSolved || !mayAskCaptcha(claim) ? undefined : CAPTCHA_AFTER)
    if (counted === null) throw await wrongCaptcha()
    // The same of tries from elsewhere. Before the lock: those that are taken back must not seem to have locked it.
    if (!isSolved && needsCaptcha(claim, line, { count: counted.count - 1, everywhere: counted.everywhere - 1 })) {
      await failures.takeBack(line)
      throw await wrongCaptcha()
    }
    const lock = counted.lockedUntil
    if (lock !== null && counted.count > LOCK_AFTER) {
      await refused(claim, account, 903)
      throw refusedLogin(903, { lockedUntil: lock })
    }
    const isRight = await isPassword(account?.passwordHash ?? (await nobody), password ?? '')
    if (isRight && account !== undefined && password !== null) return admitted(claim, account, line, counted)
    const found = { failures: counted.count, limit: LOCK_AFTER, captcha: needsCaptcha(claim, line, counted) }
    throw await failed(claim, account, counted, { code: 100401, refusal: claim.wrong(found) })
  }

  /** The same within the bounds of the address, where the line is one of an address. */
  async function bounded(claim: Claim, account: data.Account | undefined, line: Line): Promise<Outcome> {
    const { password } = claim
    const open = async (): Promise<string | null> => (typeof password === 'string' ? password : password())
    // Sessions and known browsers are bounded by their own line: what others at the same address do must not keep them out.
    if (line.from.kind !== 'address') return compared(claim, account, line, await open())
    const subject = `address ${line.from.network}`
    await attempts.demandRoom(subject, LOCK_FOR * MINUTE, ADDRESS_LIMIT)
    const opened = await open().catch(async (error: unknown) => {
      await attempts.giveBack(subject)
      throw error
    })
    const outcome = await compared(claim, account, line, opened)
    await attempts.giveBack(subject)
    return outcome
  }

  return {
    async prove(claim) {
      const account = await data.findAccountUnscoped(db, { account: claim.account })
      const outcome = await bounded(claim, account, await lineOf(claim, account))
      if ('refusal' in outcome) throw outcome.refusal
      return outcome.account
    },
  }
}
