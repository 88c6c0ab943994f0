/** Login: checks who a user is, and whether they may log in. */
import { CONFIRMED_FOR, PASSWORD_MAX, PASSWORD_MIN, PERMISSION_CODES, type Language } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import { ADMINISTRATOR_NAME } from '@gatehouse/contract/built-in-names'
import type { Tokens } from '@gatehouse/contract/identity/calls'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Park } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { CipherTexts } from './cipher-texts.ts'
import * as data from './data.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Proofs } from './login-proof.ts'
import type { Closed } from './login-proof-types.ts'
import { refusedLogin } from './login-refusals.ts'
import { hashPassword, inventPassword } from './password.ts'
import { roleName } from './ready-roles.ts'
import type { Sessions } from './sessions-types.ts'

export interface LoginAttempt {
  account: string
  /** base64 of the password under the login key. */
  cipherText: string
  /** Park in which the session starts; by default the park last used. */
  areaCode?: string | undefined
  captcha?: string | undefined
  /** Token that the browser received at an earlier login. */
  knownDevice?: string | undefined
  /** One-time password or recovery code. */
  otp?: string | undefined
  ip: string
  agent: string
  /** Null: the request names none. */
  language: Language | null
}

export interface Login {
  /** Make the administrator of a new installation. */
  start(): Promise<void>
  /** Return the password made for `admin` at the very first start, where none was configured. */
  initialPassword(): string | null
  login(attempt: LoginAttempt): Promise<Tokens>
  parksOf(userId: string): Promise<Park[]>
  rolesOf(userId: string): ReturnType<typeof data.rolesOfUnscoped>
  /** Return the name of a user's first role; empty for API users. */
  roleNameOf(userId: string, language: Language): Promise<string>
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  proofs: Proofs
  knownDevices: KnownDevices
  cipherTexts: CipherTexts
}

const WEAK_ADMIN_PASSWORD =
  `ADMIN_PASSWORD must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters with upper and lower case, ` +
  'a digit and a special character, and not read the same backwards'

export function createLogin(platform: Platform, { organisation, sessions, proofs, knownDevices, cipherTexts }: Parts): Login {
  const db = platform.db
  let made: string | null = null

  /** Return the park in which a session of an account starts: the requested one, else the one last used, else the first. */
  function parkOf({ organisationId, lastParkId }: data.Account, areaCode: string | undefined): Park | undefined {
    const parks = organisation.parksBelow(organisationId)
    return parks.find((one) => one.areaCode === areaCode) ?? parks.find((one) => one.id === lastParkId) ?? parks[0]
  }

  /** Return why an account may not log in although its password is right; null: it may. */
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
      // A weak password is refused only where it would be used: left in the environment, it must not prevent a later start.
      if (given !== null && passwordFault(given) !== null) throw new Error(WEAK_ADMIN_PASSWORD)
      const password = given ?? inventPassword()
      if (given === null) made = password
      const passwordHash = await hashPassword(password)
      const now = platform.clock.now()
      await platform.transaction(async (tx) => {
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
        // A printed password may have been read by anybody; a configured one is the administrator's own.
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
      return platform.transaction(async (tx) => {
        await data.updateLoginUnscoped(tx, account.id, now, language)
        platform.audit.actAs({ parkId: park.id, userId: account.id, account: account.account, operator: account.realName, source: 'local' })
        const knownDeviceToken = await knownDevices.remember(tx, account, knownDevice)
        // The login counts as a confirmation: the user has just typed the password.
        const confirmedSeconds = CONFIRMED_FOR * 60
        const tokens = await sessions.issue(tx, { owner: { userId: account.id }, parkId: park.id, ip, agent, confirmedSeconds })
        return { ...tokens, known_device: knownDeviceToken }
      })
    },
  }
}
