/**
 * The proof of identity at a login and wherever a password is changed: a name, a password, and a code of the second factor where the
 * account has one. An answer reveals that an account has a second factor only after the right password. Names without an account are
 * counted and locked like those of accounts, so that no answer reveals which names exist. Each try is counted before it is processed, and
 * taken back when it succeeds.
 */
import { randomBytes } from 'node:crypto'
import { LOCK_AFTER, LOCK_FOR } from '@gatehouse/contract'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import type { Refusal } from '../../platform/http/refusal.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Captchas } from './captcha.ts'
import { CAPTCHA_AFTER, mayAskCaptcha, needsCaptcha } from './captcha-demand.ts'
import * as data from './data.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Attempts } from './login-attempts.ts'
import type { Counted, Line, LoginFailures } from './login-failures.ts'
import { createLoginLog } from './login-log.ts'
import { refusedLogin } from './login-refusals.ts'
import { hashPassword, isPassword } from './password.ts'
import type { SecondFactorCheck } from './second-factor-check.ts'
import type { Claim } from './login-proof-types.ts'

/** Most failures from one address within the time of a lock, whatever the names: many users may share one address. */
const ADDRESS_LIMIT = 300
const MINUTE = 60_000

export interface Proofs {
  /**
   * Return the account, where the password is right, the account is not closed, and the code is one of its second factor where it has one.
   *
   * @throws TooManyTries for an address with too many failures, or an account with too many wrong one-time passwords
   * @throws Refusal for a wrong password, a lock (903), a missing or wrong captcha (905), a missing (906) or wrong (907) code
   * @throws what `closed` returns
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

/** The account, or the refusal of a login in which nothing was proven wrong. */
type Outcome = { account: data.Account } | { refusal: Error }

/** Return the name and origin under which the tries of a claim are counted. */
async function lineOf(
  knownDevices: KnownDevices,
  { account: name, loggedIn, knownDevice, ip }: Claim,
  account: data.Account | undefined,
): Promise<Line> {
  const device = await knownDevices.recognise(knownDevice, account)
  const userId = account?.id ?? null
  // Only the user of a session can fail in it, and a stolen session locks the user out of no other session.
  if (loggedIn !== undefined) return { name, userId, from: { kind: 'session', session: loggedIn } }
  return { name, userId, from: device === null ? { kind: 'address', network: networkOf(ip) } : { kind: 'device', device } }
}

export function createProofs(
  platform: Platform,
  { organisation, attempts, failures, knownDevices, captchas, secondFactor }: Parts,
): Proofs {
  const db = platform.db
  const { refused } = createLoginLog(platform, organisation)
  const config = platform.config
  // Compared where the account does not exist, so that both answers take as long.
  const nobody = hashPassword(randomBytes(32).toString('base64url'))

  /** Log a wrong password or code. @returns its refusal, or that of the lock that it caused */
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
   * Continue after the right password. Where a second factor is demanded, the password alone does not clear the failures; otherwise codes
   * could be tried without end.
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
      const withoutThis = { count: counted.count - 1, everywhere: counted.everywhere - 1 }
      return { refusal: refusedLogin(906, { captcha: needsCaptcha(config, claim, line, withoutThis) }) }
    }
    const isRight = await (line.from.kind === 'device'
      ? secondFactor.take(account.id, otp)
      : secondFactor.takeFromStranger(account.id, otp))
    if (isRight) {
      await failures.clear(line)
      return { account }
    }
    const counts = { failures: counted.count, limit: LOCK_AFTER, captcha: needsCaptcha(config, claim, line, counted) }
    throw await failed(claim, account, counted, { code: 907, refusal: refusedLogin(907, counts) })
  }

  /** Compare the password, subject to the lock, the captcha and the number of failures. */
  async function compared(claim: Claim, account: data.Account | undefined, line: Line, password: string | null): Promise<Outcome> {
    const { captcha = '' } = claim
    const before = await failures.read(line)
    // While locked, even the right password is refused, and tries do not prolong the lock.
    if (before.lockedUntil !== null) {
      await refused(claim, account, 903)
      throw refusedLogin(903, { lockedUntil: before.lockedUntil })
    }
    const wrongCaptcha = async (): Promise<Refusal> => {
      await refused(claim, account, 905)
      return refusedLogin(905)
    }
    // The password is not compared before the captcha is solved: without it no answer reveals anything about the password.
    const isSolved = captcha !== '' && mayAskCaptcha(config, claim) && (await captchas.solved(captcha))
    if (!isSolved && (captcha !== '' || needsCaptcha(config, claim, line, before))) throw await wrongCaptcha()
    // Other tries may have failed meanwhile: without a captcha, no more than the first few of many simultaneous tries are compared.
    const counted = await failures.add(line, isSolved || !mayAskCaptcha(config, claim) ? undefined : CAPTCHA_AFTER)
    if (counted === null) throw await wrongCaptcha()
    // The same for tries from elsewhere. Checked before the lock: a try that is taken back must not seem to have locked the account.
    if (!isSolved && needsCaptcha(config, claim, line, { count: counted.count - 1, everywhere: counted.everywhere - 1 })) {
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
    const counts = { failures: counted.count, limit: LOCK_AFTER, captcha: needsCaptcha(config, claim, line, counted) }
    throw await failed(claim, account, counted, { code: 100401, refusal: claim.wrong(counts) })
  }

  /** The same, and subject to the limit of the address where tries are counted by address. */
  async function bounded(claim: Claim, account: data.Account | undefined, line: Line): Promise<Outcome> {
    const { password } = claim
    const open = async (): Promise<string | null> => (typeof password === 'string' ? password : password())
    // Sessions and known browsers are counted separately: failures of others at the same address must not keep them out.
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
      const outcome = await bounded(claim, account, await lineOf(knownDevices, claim, account))
      if ('refusal' in outcome) throw outcome.refusal
      return outcome.account
    },
  }
}
