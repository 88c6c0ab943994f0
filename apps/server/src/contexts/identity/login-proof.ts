/**
 * Who is this: a name and a password, asked for at login and wherever a password is changed. Names that nobody has are
 * counted and locked like those of accounts, so that no answer tells which names exist. Each try is counted before anything is
 * done for it, and taken back when it succeeds.
 */
import { randomBytes } from 'node:crypto'
import { LOCK_AFTER, LOCK_FOR, type BusinessCode } from '@gatehouse/contract'
import { networkOf } from '../../platform/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Refusal, TooManyTries } from '../../platform/refusal.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Captchas } from './captcha.ts'
import * as data from './data.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Attempts } from './login-attempts.ts'
import type { Counted, Line, LoginFailures } from './login-failures.ts'
import { hashPassword, isPassword } from './password.ts'
import type { IdentityTables } from './schema.ts'

type LoginCode = 901 | 902 | 903 | 904 | 905

/** A refusal of the token call and its kin: HTTP 400 with a login code, or a business code. */
export const refusedLogin = (code: LoginCode | 100401 | 100406 | 100412 | 100413, extra?: Record<string, unknown>): Refusal =>
  new Refusal(code as BusinessCode, extra, 400)

/** Failures from which on a captcha is asked for. */
const CAPTCHA_AFTER = 3
/** Failures from one address within the time of a lock, whatever the names: a house behind one address makes mistakes too. */
const ADDRESS_LIMIT = 300
const MINUTE = 60_000

export interface Claim {
  account: string
  /** Opens it once the address has been counted; null: nothing that could be read. What it throws is not counted. */
  password: string | (() => Promise<string | null>)
  captcha?: string | undefined
  /** What the browser was told at an earlier login. */
  knownDevice?: string | undefined
  ip: string
  /** What a wrong password answers: that of a login, or of a change. */
  wrong: (data: { failures: number; limit: number; captcha: boolean }) => Refusal
  /** Whether somebody is logged in: then the operation log knows who acts. */
  loggedIn?: boolean
}

export interface Proofs {
  /**
   * The account, if that is its password.
   *
   * @throws TooManyTries for an address with too many failures
   * @throws Refusal for a wrong password, a lock (903) or a captcha that is missing or wrong (905)
   */
  prove(claim: Claim): Promise<data.Account>
  /** Writes down that somebody with the right password was not let in. */
  note(account: data.Account, code: LoginCode | 100413): Promise<void>
}

interface Parts {
  organisation: OrganisationService
  attempts: Attempts
  failures: LoginFailures
  knownDevices: KnownDevices
  captchas: Captchas
}

export function createProofs(platform: Platform, { organisation, attempts, failures, knownDevices, captchas }: Parts): Proofs {
  const db = platform.db as unknown as Database<IdentityTables>
  // Compared against when the account does not exist, so that both answers take as long.
  const nobody = hashPassword(randomBytes(32).toString('base64url'))

  /** The log knows a name that was typed, not who typed it. */
  function actAs({ account: name, loggedIn }: Pick<Claim, 'account' | 'loggedIn'>, account: data.Account | undefined): void {
    if (loggedIn === true) return
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
    // Only who has a session of the account can fail in it.
    if (loggedIn === true) return { name, userId, from: 'session' }
    return { name, userId, from: device === null ? `address ${networkOf(ip)}` : `device ${device}` }
  }

  /** Whether a captcha is asked for at the next try. A known browser need not make up for the failures of others. */
  function needsCaptcha({ loggedIn }: Claim, { from }: Line, { count, everywhere }: Pick<Counted, 'count' | 'everywhere'>): boolean {
    if (!platform.config.captcha || loggedIn === true) return false
    return (from.startsWith('device ') ? count : everywhere) >= CAPTCHA_AFTER
  }

  async function compared(claim: Claim, account: data.Account | undefined, line: Line, password: string | null): Promise<data.Account> {
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
    const isSolved = captcha !== '' && platform.config.captcha && claim.loggedIn !== true && (await captchas.solved(captcha))
    if (!isSolved && (captcha !== '' || needsCaptcha(claim, line, before))) throw await wrongCaptcha()
    const counted = await failures.add(line)
    const lock = counted.lockedUntil
    if (lock !== null && counted.count > LOCK_AFTER) {
      await refused(claim, account, 903)
      throw refusedLogin(903, { lockedUntil: lock })
    }
    // Others failed meanwhile: of many tries at once no more than the first few are compared without a captcha.
    if (!isSolved && needsCaptcha(claim, line, { count: counted.count - 1, everywhere: counted.everywhere - 1 })) {
      await failures.takeBack(line)
      throw await wrongCaptcha()
    }
    const isRight = await isPassword(account?.passwordHash ?? (await nobody), password ?? '')
    if (isRight && account !== undefined && password !== null) {
      await failures.clear(line)
      return account
    }
    await refused(claim, account, lock === null ? 100401 : 903)
    if (lock !== null) throw refusedLogin(903, { lockedUntil: lock })
    throw claim.wrong({ failures: counted.count, limit: LOCK_AFTER, captcha: needsCaptcha(claim, line, counted) })
  }

  return {
    note: (account, code) => refused({ account: account.account }, account, code),
    async prove(claim) {
      const { account: name, password } = claim
      const account = await data.findAccountUnscoped(db, { account: name })
      const line = await lineOf(claim, account)
      const open = async (): Promise<string | null> => (typeof password === 'string' ? password : password())
      // Sessions and known browsers are bounded by their own line: what others at the same address do must not keep them out.
      if (!isOfAddress(line)) return compared(claim, account, line, await open())
      const subject = line.from
      if ((await attempts.add(db, subject, platform.clock.now() + LOCK_FOR * MINUTE)) > ADDRESS_LIMIT) throw new TooManyTries()
      const opened = await open().catch(async (error: unknown) => {
        await attempts.giveBack(subject)
        throw error
      })
      const proven = await compared(claim, account, line, opened)
      await attempts.giveBack(subject)
      return proven
    },
  }
}

const isOfAddress = ({ from }: Line): boolean => from.startsWith('address ')
