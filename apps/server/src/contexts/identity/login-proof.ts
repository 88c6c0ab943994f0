/**
 * Who is this: a name and a password, asked for at login and wherever a password is changed. Names that nobody has are
 * counted and locked like those of accounts, so that no answer tells which names exist.
 */
import { randomBytes } from 'node:crypto'
import { LOCK_AFTER, LOCK_FOR, type BusinessCode } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Refusal, TooManyTries } from '../../platform/refusal.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Captchas } from './captcha.ts'
import * as data from './data.ts'
import type { Attempts } from './login-attempts.ts'
import { createTurns } from './login-turns.ts'
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
/** What is counted against a name nobody has goes after so many days without a lock. */
const UNKNOWN_KEPT_DAYS = 30
const MINUTE = 60_000

export interface Claim {
  account: string
  /** Null: nothing that could be read. */
  password: string | null
  captcha?: string | undefined
  ip: string
  /** What a wrong password answers: that of a login, or of a change. */
  wrong: (data: { failures: number; limit: number; captcha: boolean }) => Refusal
  /** Whether somebody is logged in: then the operation log knows who acts. */
  loggedIn?: boolean
}

export interface Proofs {
  /** Refuse an address with too many failures; asked before a password is opened. @throws TooManyTries */
  demandRoom(ip: string): Promise<void>
  /**
   * The account, if that is its password.
   *
   * @throws Refusal for a wrong password, a lock (903) or a captcha that is missing or wrong (905)
   */
  prove(claim: Claim): Promise<data.Account>
  /** Writes down that somebody with the right password was not let in. */
  note(account: data.Account, code: LoginCode | 100413): Promise<void>
}

interface Counted {
  failures: number
  lockedUntil: number | null
}

interface Parts {
  organisation: OrganisationService
  attempts: Attempts
  captchas: Captchas
}

export function createProofs(platform: Platform, { organisation, attempts, captchas }: Parts): Proofs {
  const db = platform.db as unknown as Database<IdentityTables>
  const inTurn = createTurns()
  // Compared against when the account does not exist, so that both answers take as long.
  const nobody = hashPassword(randomBytes(32).toString('base64url'))
  const nameKey = (name: string): string => `name ${name.toLowerCase()}`
  const lockKey = (name: string): string => `lock ${name.toLowerCase()}`
  const addressKey = (ip: string): string => `address ${ip}`

  /** The log knows a name that was typed, not who typed it. */
  function actAs({ account: name, loggedIn }: Pick<Claim, 'account' | 'loggedIn'>, account: data.Account | undefined): void {
    if (loggedIn === true) return
    const parkId = account?.lastParkId ?? account?.organisationId ?? organisation.root().id
    platform.audit.actAs({ parkId, userId: null, account: name, operator: account?.realName ?? '', source: 'local' })
  }

  async function stateOf(name: string, account: data.Account | undefined): Promise<Counted> {
    // Asked for in either case, so that both take as long.
    const [failures, lock] = await Promise.all([attempts.read(nameKey(name)), attempts.read(lockKey(name))])
    return account ?? { failures: failures?.count ?? 0, lockedUntil: lock?.until ?? null }
  }

  /** Counts a wrong password; the sixth in a row locks. */
  async function count(tx: Tx<IdentityTables>, name: string, account: data.Account | undefined): Promise<Counted> {
    const now = platform.clock.now()
    const lockedUntil = now + LOCK_FOR * MINUTE
    if (account !== undefined) {
      const failures = await data.countFailureUnscoped(tx, account.id)
      if (failures < LOCK_AFTER) return { failures, lockedUntil: null }
      await data.updateLoginUnscoped(tx, account.id, { failures: 0, lockedUntil })
      return { failures, lockedUntil }
    }
    const failures = await attempts.add(tx, nameKey(name), now + UNKNOWN_KEPT_DAYS * 86_400_000)
    if (failures < LOCK_AFTER) return { failures, lockedUntil: null }
    await attempts.clear(tx, nameKey(name))
    await attempts.add(tx, lockKey(name), lockedUntil)
    return { failures, lockedUntil }
  }

  /** Writes down that somebody was not let in, with what was counted. */
  function refused<T>(
    claim: Pick<Claim, 'account' | 'loggedIn'>,
    account: data.Account | undefined,
    work: (tx: Tx<IdentityTables>) => Promise<T>,
    codeOf: (done: T) => number,
  ): Promise<T> {
    actAs(claim, account)
    return platform.transaction(async (tx: Tx<IdentityTables>) => {
      const done = await work(tx)
      platform.audit.note({
        entity: 'refusedLogin',
        id: account?.id ?? newId(),
        label: claim.account,
        after: { refusedWith: codeOf(done) },
      })
      return done
    })
  }

  async function proveInTurn(claim: Claim): Promise<data.Account> {
    const { account: name, password, captcha, ip, wrong } = claim
    const account = await data.findAccountUnscoped(db, { account: name })
    const { failures: before, lockedUntil } = await stateOf(name, account)
    const failedFrom = (tx: Tx<IdentityTables>) => attempts.add(tx, addressKey(ip), platform.clock.now() + LOCK_FOR * MINUTE)
    // While locked even the right password is refused, and tries do not prolong the lock.
    if (lockedUntil !== null && lockedUntil > platform.clock.now()) {
      await refused(claim, account, failedFrom, () => 903)
      throw refusedLogin(903, { lockedUntil })
    }
    const right = (await isPassword(account?.passwordHash ?? (await nobody), password ?? '')) && account !== undefined && password !== null
    const needed = platform.config.captcha && claim.loggedIn !== true && before >= CAPTCHA_AFTER
    const solved = captcha === undefined || captcha === '' ? !needed : !platform.config.captcha || (await captchas.solved(captcha))
    if (right && solved) return account
    if (right) {
      await refused(claim, account, failedFrom, () => 905)
      throw refusedLogin(905)
    }
    const work = async (tx: Tx<IdentityTables>): Promise<Counted> => {
      await failedFrom(tx)
      return count(tx, name, account)
    }
    const counted = await refused(claim, account, work, ({ lockedUntil: until }) => (until === null ? 100401 : 903))
    if (counted.lockedUntil !== null) throw refusedLogin(903, { lockedUntil: counted.lockedUntil })
    // A captcha that is wrong says so and no more: nobody learns about the password by it.
    if (!solved && captcha) throw refusedLogin(905)
    throw wrong({ failures: counted.failures, limit: LOCK_AFTER, captcha: platform.config.captcha && counted.failures >= CAPTCHA_AFTER })
  }

  async function demandRoom(ip: string): Promise<void> {
    if (((await attempts.read(addressKey(ip)))?.count ?? 0) >= ADDRESS_LIMIT) throw new TooManyTries()
  }

  return {
    demandRoom,
    async note(account, code) {
      await refused(
        { account: account.account },
        account,
        async () => {},
        () => code,
      )
    },
    async prove(claim) {
      await demandRoom(claim.ip)
      return inTurn(claim.account.toLowerCase(), () => proveInTurn(claim))
    },
  }
}
