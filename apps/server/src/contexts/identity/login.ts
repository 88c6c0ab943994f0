/** Login: who is this, and may they come in. */
import { CONFIRMED_FOR, PASSWORD_MAX, PASSWORD_MIN, PERMISSION_CODES, type Language } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import { ADMINISTRATOR_NAME } from '@gatehouse/contract/built-in-names'
import type { Tokens } from '@gatehouse/contract/identity/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Park } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { CipherTexts } from './cipher-texts.ts'
import * as data from './data.ts'
import type { KnownDevices } from './known-devices.ts'
import { refusedLogin, type Closed, type Proofs } from './login-proof.ts'
import { hashPassword, inventPassword } from './password.ts'
import { roleName } from './ready-roles.ts'
import type { IdentityTables } from './schema.ts'
import type { Sessions } from './sessions.ts'

export interface LoginAttempt {
  account: string
  /** base64 of the password under the login key. */
  cipherText: string
  /** Where the session is to begin; else the park last used. */
  areaCode?: string | undefined
  captcha?: string | undefined
  /** What the browser was told at an earlier login. */
  knownDevice?: string | undefined
  /** One-time password or recovery code. */
  otp?: string | undefined
  ip: string
  agent: string
  /** Null: the request names none. */
  language: Language | null
}

export interface Login {
  /** Makes the administrator of a new installation. */
  start(): Promise<void>
  /** The password made for `admin` at the very first start, when none was given. */
  initialPassword(): string | null
  login(attempt: LoginAttempt): Promise<Tokens>
  parksOf(userId: string): Promise<Park[]>
  rolesOf(userId: string): ReturnType<typeof data.rolesOfUnscoped>
  /** What the first of a user's roles is called; empty for API users. */
  roleNameOf(userId: string, language: Language): Promise<string>
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  proofs: Proofs
  knownDevices: KnownDevices
  cipherTexts: CipherTexts
}

const WEAK_ADMIN_PASSWORD = `ADMIN_PASSWORD must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters with upper and lower case, a digit and a special character, and not read the same backwards`

export function createLogin(platform: Platform, { organisation, sessions, proofs, knownDevices, cipherTexts }: Parts): Login {
  const db = platform.db as unknown as Database<IdentityTables>
  let made: string | null = null

  /** Where a session of an account begins: where it is asked to, else where the last one was. */
  function parkOf({ organisationId, lastParkId }: data.Account, areaCode: string | undefined): Park | undefined {
    const parks = organisation.parksBelow(organisationId)
    return parks.find((one) => one.areaCode === areaCode) ?? parks.find((one) => one.id === lastParkId) ?? parks[0]
  }

  /** Why an account may not come in though its password is right. */
  function closed(account: data.Account): Closed | null {
    const { enabled, expiresAt, mustChange, passwordExpiresAt } = account
    const [now, because] = [platform.clock.now(), (code: 901 | 902 | 904 | 100413): Closed => ({ code, refusal: refusedLogin(code) })]
    if (!enabled) return because(901)
    if (expiresAt !== null && expiresAt <= now) return because(904)
    if (mustChange || (passwordExpiresAt !== null && passwordExpiresAt <= now)) return because(902)
    return parkOf(account, undefined) === undefined ? because(100413) : null
  }

  return {
    initialPassword: () => made,
    rolesOf: (userId) => data.rolesOfUnscoped(db, userId),
    async roleNameOf(userId, language) {
      const [first] = await data.rolesOfUnscoped(db, userId)
      return first === undefined ? '' : roleName(language, first)
    },
    async parksOf(userId) {
      const account = await data.findAccountUnscoped(db, { id: userId })
      return account === undefined ? [] : organisation.parksBelow(account.organisationId)
    },
    async start() {
      if ((await data.countAccountsUnscoped(db)) > 0) return
      const given = platform.config.adminPassword
      // One that is too weak is refused where it would be used: left in the environment it must not end a later start.
      if (given !== null && passwordFault(given) !== null) throw new Error(WEAK_ADMIN_PASSWORD)
      const password = given ?? inventPassword()
      if (given === null) made = password
      const passwordHash = await hashPassword(password)
      const now = platform.clock.now()
      await platform.transaction(async (tx: Tx<IdentityTables>) => {
        const roleId = newId()
        await data.insertRoleUnscoped(
          tx,
          {
            id: roleId,
            name: ADMINISTRATOR_NAME,
            roleSign: 'admin',
            permissions: PERMISSION_CODES,
            organisationId: organisation.root().id,
          },
          now,
        )
        // One that was printed may have been read by anybody; one that was given is the administrator's own.
        const account = {
          id: newId(),
          account: 'admin',
          realName: ADMINISTRATOR_NAME,
          passwordHash,
          organisationId: organisation.root().id,
          mustChange: made !== null,
        }
        await data.insertAccountUnscoped(tx, account, [roleId], now)
      })
    },
    async login({ account: name, cipherText, areaCode, captcha, knownDevice, otp, ip, agent, language }) {
      const wrong = (found: { failures: number; limit: number; captcha: boolean }) => refusedLogin(100401, found)
      const password = async (): Promise<string | null> => (await cipherTexts.open({ password: cipherText })).password
      const account = await proofs.prove({ account: name, password, captcha, knownDevice, otp, ip, closed, wrong })
      const [now, park] = [platform.clock.now(), parkOf(account, areaCode)!]
      return platform.transaction(async (tx: Tx<IdentityTables>) => {
        await data.updateLoginUnscoped(tx, account.id, now, language)
        platform.audit.actAs({ parkId: park.id, userId: account.id, account: account.account, operator: account.realName, source: 'local' })
        const known = await knownDevices.remember(tx, account, knownDevice)
        // Nobody types it twice to begin: whoever logs in has just shown that it is them.
        const confirmedSeconds = CONFIRMED_FOR * 60
        const tokens = await sessions.issue(tx as never, { owner: { userId: account.id }, parkId: park.id, ip, agent, confirmedSeconds })
        return { ...tokens, known_device: known }
      })
    },
  }
}
