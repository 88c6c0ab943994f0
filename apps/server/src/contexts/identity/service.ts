/** Login, sessions and the administrator of a new installation. */
import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { LOCK_AFTER, LOCK_FOR, PERMISSION_CODES } from '@gatehouse/contract'
import type { Tokens } from '@gatehouse/contract/identity/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Park, Session } from '../../platform/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import * as data from './data.ts'
import { sessionChanged } from './events.ts'
import type { LoginKey } from './login-key.ts'
import type { IdentityTables } from './schema.ts'

const ACCESS_SECONDS = 2 * 3600
const REFRESH_SECONDS = 7 * 86_400
/** A node trusts what it remembers of a session so long; changes on this node are seen at once. */
const REMEMBER_MS = 5_000

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()
const secretText = (): string => randomBytes(32).toString('base64url')

export interface IdentityService {
  start(): Promise<void>
  /** The password made for `admin` at the very first start, when none was given. */
  initialPassword(): string | null
  login(account: string, cipherText: string, areaCode: string | undefined): Promise<Tokens>
  refresh(refreshToken: string): Promise<Tokens>
  session(token: string): Promise<Session | 'unknown' | 'expired'>
  keep(session: Session): Promise<number>
  revoke(session: Session): Promise<void>
  moveSession(tokenId: string, parkId: string): Promise<void>
  parksOf(userId: string): Promise<Park[]>
  account(userId: string): Promise<data.Account>
  rolesOf(userId: string): ReturnType<typeof data.rolesOfUnscoped>
  forget(tokenId: string): void
  dropExpired(): Promise<number>
}

export function createIdentityService(platform: Platform, organisation: OrganisationService, loginKey: () => LoginKey): IdentityService {
  const db = platform.db as unknown as Database<IdentityTables>
  const remembered = new Map<string, { session: Session; until: number; expiresAt: number }>()
  let made: string | null = null
  // Compared against when the account does not exist, so that both answers take as long.
  const nobody = hash(secretText())

  const refused = (code: 100401 | 100412 | 901 | 902 | 903 | 904, extra?: Record<string, unknown>): Refusal =>
    new Refusal(code as never, extra, 400)

  async function parksOf(userId: string): Promise<Park[]> {
    const account = await data.findAccountUnscoped(db, { id: userId })
    return account === undefined ? [] : organisation.parksBelow(account.organisationId)
  }

  function secrets(): { tokens: Tokens; row: Pick<data.NewToken, 'accessHash' | 'refreshHash' | 'accessExpiresAt' | 'refreshExpiresAt'> } {
    const access = secretText()
    const refresh = secretText()
    const now = platform.clock.now()
    return {
      tokens: { access_token: access, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: refresh, refresh_expires_in: REFRESH_SECONDS },
      row: {
        accessHash: digest(access),
        refreshHash: digest(refresh),
        accessExpiresAt: now + ACCESS_SECONDS * 1000,
        refreshExpiresAt: now + REFRESH_SECONDS * 1000,
      },
    }
  }

  async function wrongPassword(account: data.Account, now: number): Promise<never> {
    const failures = account.failures + 1
    const locked = failures >= LOCK_AFTER
    await data.updateLoginUnscoped(db, account.id, { failures: locked ? 0 : failures, lockedUntil: locked ? now + LOCK_FOR * 60_000 : null })
    throw locked ? refused(903) : refused(100401, { failures, limit: LOCK_AFTER })
  }

  function forget(tokenId: string): void {
    for (const [token, { session }] of remembered) if (session.tokenId === tokenId) remembered.delete(token)
  }

  /** Changes a session everywhere: at once here, by event on other nodes. */
  async function changeToken(tokenId: string, parkId: string, change: Parameters<typeof data.updateTokenUnscoped>[2]): Promise<void> {
    await platform.transaction(async (tx: Tx<IdentityTables>) => {
      await data.updateTokenUnscoped(tx, tokenId, change)
      await platform.events.announce(tx, sessionChanged, parkId, { tokenId })
    })
    forget(tokenId)
  }

  return {
    parksOf,
    forget,
    initialPassword: () => made,
    rolesOf: (userId) => data.rolesOfUnscoped(db, userId),
    async start() {
      if ((await data.countAccountsUnscoped(db)) > 0) return
      // Four classes of characters, no palindrome: it must pass the rules it will be held to.
      const password = platform.config.adminPassword ?? `G${randomBytes(5).toString('hex')}a-7`
      if (platform.config.adminPassword === null) made = password
      const passwordHash = await hash(password)
      const now = platform.clock.now()
      await platform.transaction(async (tx: Tx<IdentityTables>) => {
        const roleId = newId()
        await data.insertRoleUnscoped(tx, { id: roleId, name: 'Administrator', roleSign: 'admin', permissions: PERMISSION_CODES }, now)
        const account = { id: newId(), account: 'admin', realName: 'Administrator', passwordHash, organisationId: organisation.root().id }
        await data.insertAccountUnscoped(tx, account, [roleId], now)
      })
    },
    async login(name, cipherText, areaCode) {
      const now = platform.clock.now()
      const account = await data.findAccountUnscoped(db, { account: name })
      const password = loginKey().open(cipherText)
      if (account === undefined) {
        await verify(await nobody, password ?? '')
        throw refused(100401, { failures: 1, limit: LOCK_AFTER })
      }
      // While locked even the right password is refused, and tries do not prolong the lock.
      if (account.lockedUntil !== null && account.lockedUntil > now) throw refused(903)
      if (password === null || !(await verify(account.passwordHash, password))) return wrongPassword(account, now)
      if (!account.enabled) throw refused(901)
      if (account.expiresAt !== null && account.expiresAt <= now) throw refused(904)
      if (account.passwordExpiresAt !== null && account.passwordExpiresAt <= now) throw refused(902)
      const parks = organisation.parksBelow(account.organisationId)
      const park = parks.find((one) => one.areaCode === areaCode) ?? parks.find((one) => one.id === account.lastParkId) ?? parks[0]
      if (park === undefined) throw refused(100401, { failures: 0, limit: LOCK_AFTER })
      const { tokens, row } = secrets()
      await platform.transaction(async (tx: Tx<IdentityTables>) => {
        await data.insertTokenUnscoped(tx, { ...row, id: newId(), userId: account.id, parkId: park.id }, now)
        await data.updateLoginUnscoped(tx, account.id, { failures: 0, lockedUntil: null, loginAt: now })
      })
      return tokens
    },
    async refresh(refreshToken) {
      const used = digest(refreshToken)
      const token = await data.findTokenUnscoped(db, { refresh: used })
      if (token === undefined || token.revoked || token.refreshExpiresAt <= platform.clock.now()) throw refused(100412)
      const account = await data.findAccountUnscoped(db, { id: token.userId })
      if (account === undefined || !account.enabled) throw refused(901)
      const { tokens, row } = secrets()
      if (!(await data.rotateTokenUnscoped(db, used, row))) throw refused(100412)
      forget(token.id)
      return tokens
    },
    async session(token) {
      const now = platform.clock.now()
      const known = remembered.get(token)
      if (known !== undefined && known.until > now && known.expiresAt > now) return known.session
      remembered.delete(token)
      const row = await data.findTokenUnscoped(db, { access: digest(token) })
      if (row === undefined || row.revoked) return 'unknown'
      if (row.accessExpiresAt <= now) return 'expired'
      const [account, roles] = await Promise.all([data.findAccountUnscoped(db, { id: row.userId }), data.rolesOfUnscoped(db, row.userId)])
      if (account === undefined || !account.enabled || organisation.get(row.parkId) === undefined) return 'unknown'
      const session: Session = {
        tokenId: row.id,
        userId: account.id,
        account: account.account,
        roleSign: roles[0]?.roleSign ?? 'other',
        permissions: new Set(roles.flatMap((role) => role.permissions)),
        park: organisation.park({ parkId: row.parkId }),
        scope: { parkId: row.parkId },
      }
      if (remembered.size > 10_000) remembered.clear()
      remembered.set(token, { session, until: now + REMEMBER_MS, expiresAt: row.accessExpiresAt })
      return session
    },
    async keep(session) {
      await data.updateTokenUnscoped(db, session.tokenId, { accessExpiresAt: platform.clock.now() + ACCESS_SECONDS * 1000 })
      forget(session.tokenId)
      return ACCESS_SECONDS
    },
    revoke: (session) => changeToken(session.tokenId, session.park.id, { revoked: true }),
    async moveSession(tokenId, parkId) {
      const session = [...remembered.values()].find((one) => one.session.tokenId === tokenId)?.session
      await changeToken(tokenId, parkId, { parkId })
      if (session !== undefined) await data.updateLastParkUnscoped(db, session.userId, parkId)
    },
    async account(userId) {
      const account = await data.findAccountUnscoped(db, { id: userId })
      if (account === undefined) throw new Error('the account of a live session is gone')
      return account
    },
    dropExpired: () => data.deleteExpiredTokensUnscoped(db, platform.clock.now()),
  }
}
