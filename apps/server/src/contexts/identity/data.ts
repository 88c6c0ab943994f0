/**
 * Rows of accounts and tokens. Unscoped throughout: an account belongs to a node of the tree, not to a park, and a
 * token is what a scope is made from.
 */
import { timestamp, type Database } from '../../platform/database.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface Account {
  id: string
  account: string
  realName: string
  email: string
  idCard: string
  telephone: string
  passwordHash: string
  organisationId: string
  enabled: boolean
  masking: boolean
  failures: number
  lockedUntil: number | null
  expiresAt: number | null
  passwordExpiresAt: number | null
  lastParkId: string | null
}

const accountColumns = [
  'id',
  'account',
  'real_name as realName',
  'email',
  'id_card as idCard',
  'telephone',
  'password_hash as passwordHash',
  'organisation_id as organisationId',
  'enabled',
  'masking',
  'failures',
  'locked_until as lockedUntil',
  'expires_at as expiresAt',
  'password_expires_at as passwordExpiresAt',
  'last_park_id as lastParkId',
] as const

export async function findAccountUnscoped(db: Db, by: { id: string } | { account: string }): Promise<Account | undefined> {
  const query = db.selectFrom('user_account').select(accountColumns)
  const row = await ('id' in by ? query.where('id', '=', by.id) : query.where((eb) => eb(eb.fn('lower', ['account']), '=', by.account.toLowerCase()))).executeTakeFirst()
  return row as Account | undefined
}

export async function countAccountsUnscoped(db: Db): Promise<number> {
  const { count } = await db.selectFrom('user_account').select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

export async function rolesOfUnscoped(db: Db, userId: string): Promise<{ id: string; name: string; roleSign: string; permissions: string[] }[]> {
  return db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'user_role.role_id')
    .select(['role.id', 'role.name', 'role.role_sign as roleSign', 'role.permissions'])
    .where('user_role.user_id', '=', userId)
    .orderBy('role.created_at')
    .execute()
}

export interface NewAccount {
  id: string
  account: string
  realName: string
  passwordHash: string
  organisationId: string
}

export async function insertAccountUnscoped(db: Db, account: NewAccount, roleIds: readonly string[], now: number): Promise<void> {
  await db
    .insertInto('user_account')
    .values({
      id: account.id,
      account: account.account,
      real_name: account.realName,
      email: '',
      id_card: '',
      telephone: '',
      password_hash: account.passwordHash,
      organisation_id: account.organisationId,
      enabled: true,
      masking: false,
      failures: 0,
      locked_until: null,
      expires_at: null,
      password_expires_at: null,
      last_park_id: null,
      last_login_at: null,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
  await db
    .insertInto('user_role')
    .values(roleIds.map((roleId) => ({ user_id: account.id, role_id: roleId })))
    .execute()
}

export async function insertRoleUnscoped(db: Db, role: { id: string; name: string; roleSign: string; permissions: readonly string[] }, now: number): Promise<void> {
  await db
    .insertInto('role')
    .values({ id: role.id, name: role.name, role_sign: role.roleSign, permissions: [...role.permissions], created_at: timestamp(now) })
    .execute()
}

/** Notes a login that failed or succeeded; `lockedUntil` null leaves the account open. */
export async function updateLoginUnscoped(db: Db, userId: string, state: { failures: number; lockedUntil: number | null; loginAt?: number }): Promise<void> {
  await db
    .updateTable('user_account')
    .set({
      failures: state.failures,
      locked_until: state.lockedUntil === null ? null : timestamp(state.lockedUntil),
      ...(state.loginAt !== undefined && { last_login_at: timestamp(state.loginAt) }),
    })
    .where('id', '=', userId)
    .execute()
}

export async function updatePasswordUnscoped(db: Db, userId: string, passwordHash: string): Promise<void> {
  await db.updateTable('user_account').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

export interface TokenRow {
  id: string
  userId: string
  parkId: string
  accessExpiresAt: number
  refreshExpiresAt: number
  revoked: boolean
}
const tokenColumns = [
  'id',
  'user_id as userId',
  'park_id as parkId',
  'access_expires_at as accessExpiresAt',
  'refresh_expires_at as refreshExpiresAt',
  'revoked',
] as const

export async function findTokenUnscoped(db: Db, by: { access: Buffer } | { refresh: Buffer }): Promise<TokenRow | undefined> {
  const query = db.selectFrom('token').select(tokenColumns)
  const row = await ('access' in by ? query.where('access_hash', '=', by.access) : query.where('refresh_hash', '=', by.refresh)).executeTakeFirst()
  return row as TokenRow | undefined
}

export interface NewToken {
  id: string
  userId: string
  accessHash: Buffer
  refreshHash: Buffer
  parkId: string
  accessExpiresAt: number
  refreshExpiresAt: number
}

export async function insertTokenUnscoped(db: Db, token: NewToken, now: number): Promise<void> {
  await db
    .insertInto('token')
    .values({
      id: token.id,
      user_id: token.userId,
      access_hash: token.accessHash,
      refresh_hash: token.refreshHash,
      park_id: token.parkId,
      access_expires_at: timestamp(token.accessExpiresAt),
      refresh_expires_at: timestamp(token.refreshExpiresAt),
      revoked: false,
      created_at: timestamp(now),
    })
    .execute()
}

/** Replaces both secrets of a session; false where the refresh token was used already. */
export async function rotateTokenUnscoped(db: Db, used: Buffer, token: Omit<NewToken, 'id' | 'userId' | 'parkId'>): Promise<boolean> {
  const result = await db
    .updateTable('token')
    .set({
      access_hash: token.accessHash,
      refresh_hash: token.refreshHash,
      access_expires_at: timestamp(token.accessExpiresAt),
      refresh_expires_at: timestamp(token.refreshExpiresAt),
    })
    .where('refresh_hash', '=', used)
    .where('revoked', '=', false)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function updateTokenUnscoped(db: Db, tokenId: string, change: { revoked?: boolean; parkId?: string; accessExpiresAt?: number }): Promise<void> {
  await db
    .updateTable('token')
    .set({
      ...(change.revoked !== undefined && { revoked: change.revoked }),
      ...(change.parkId !== undefined && { park_id: change.parkId }),
      ...(change.accessExpiresAt !== undefined && { access_expires_at: timestamp(change.accessExpiresAt) }),
    })
    .where('id', '=', tokenId)
    .execute()
}

/** Notes the park a user was last in, where the next login begins. */
export async function updateLastParkUnscoped(db: Db, userId: string, parkId: string): Promise<void> {
  await db.updateTable('user_account').set({ last_park_id: parkId }).where('id', '=', userId).execute()
}

/** Drops sessions that can no longer be refreshed. */
export async function deleteExpiredTokensUnscoped(db: Db, now: number): Promise<number> {
  const result = await db.deleteFrom('token').where('refresh_expires_at', '<', timestamp(now)).executeTakeFirst()
  return Number(result.numDeletedRows)
}
