/** Rows of accounts as administrators see them. Unscoped: an account belongs to a node of the tree, not to a park. */
import { LOCK_AFTER } from '@gatehouse/contract'
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { insertAccountUnscoped, type NewAccount } from './data.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'

export type AccountState = 'enabled' | 'disabled' | 'passwordExpired' | 'locked' | 'expired'

export interface UserRow {
  id: string
  account: string
  realName: string
  administratorName: string
  email: string
  telephoneSealed: Buffer | null
  idCardSealed: Buffer | null
  organisationId: string
  enabled: boolean
  state: AccountState
  lockedUntil: number | null
  expiry: number | null
  passwordValidity: '3m' | '6m' | '1y' | 'forever'
  passwordChangedAt: number
  masking: boolean
  /** Whether the login also requires a one-time password. */
  secondFactor: boolean
  lastLogin: number | null
  version: number
  createdAt: number
}

/** End of the latest lock of the account, for whatever address or browser; null where there is none. */
const lockedUntil = (now: number) => sql<number | null>`(
  SELECT max(until) FROM login_failure WHERE user_id = user_account.id AND count >= ${LOCK_AFTER} AND until > ${timestamp(now)})`

/** State that the next login would find, in the order of its checks; a disabled account is disabled whatever else it is. */
const stateAt = (now: number) => sql<AccountState>`CASE
  WHEN NOT enabled THEN 'disabled'
  WHEN ${lockedUntil(now)} IS NOT NULL THEN 'locked'
  WHEN expires_at <= ${timestamp(now)} THEN 'expired'
  WHEN must_change OR password_expires_at <= ${timestamp(now)} THEN 'passwordExpired'
  ELSE 'enabled' END`

const users = (db: Database, now: number) =>
  db
    .selectFrom('userAccount')
    .select([
      'id',
      'account',
      'realName',
      'administratorName',
      'email',
      'telephoneSealed',
      'idCardSealed',
      'organisationId',
      'enabled',
      'expiresAt as expiry',
      'passwordValidity',
      'passwordChangedAt',
      'masking',
      'lastLoginAt as lastLogin',
      'version',
      'createdAt',
    ])
    .select((eb) => [
      lockedUntil(now).as('lockedUntil'),
      stateAt(now).as('state'),
      eb
        .exists(
          eb
            .selectFrom('secondFactor')
            .select('userId')
            .whereRef('secondFactor.userId', '=', 'userAccount.id')
            .where('secret', 'is not', null),
        )
        .as('secondFactor'),
    ])

export interface UserFilter {
  account?: string | undefined
  realName?: string | undefined
  /** What the caller may see. */
  sees?: Scope['sees']
  roleId?: string | undefined
  state?: AccountState | undefined
  page: number
  size: number
}

/** @param nodeIds nodes the accounts belong to; null: all of them */
export async function listUsersUnscoped(
  db: Database,
  filter: UserFilter,
  nodeIds: readonly string[] | null,
  now: number,
): Promise<{ total: number; content: UserRow[] }> {
  const { account, realName, roleId, state, page, size } = filter
  let rows = users(db, now)
  if (account !== undefined && account !== '') rows = rows.where('account', 'ilike', containing(account))
  if (realName !== undefined && realName !== '') rows = rows.where('realName', 'ilike', personalPattern(filter, realName))
  if (roleId !== undefined) rows = rows.where('id', 'in', (eb) => eb.selectFrom('userRole').select('userId').where('roleId', '=', roleId))
  if (state !== undefined) rows = rows.where(stateAt(now), '=', state)
  if (nodeIds !== null) rows = rows.where('organisationId', '=', oneOf(nodeIds))
  const { content, total } = await readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), { page, size })
  return { total, content: content as UserRow[] }
}

export async function findUserUnscoped(db: Database, id: string, now: number): Promise<UserRow | undefined> {
  return (await users(db, now).where('id', '=', id).executeTakeFirst()) as UserRow | undefined
}

/** Return those of these ids that are users', with the nodes they belong to. */
export function knownUsersUnscoped(
  db: Database,
  userIds: readonly string[],
): Promise<{ id: string; realName: string; organisationId: string }[]> {
  return db.selectFrom('userAccount').select(['id', 'realName', 'organisationId']).where('id', '=', oneOf(userIds)).execute()
}

export interface UserRole {
  userId: string
  id: string
  name: string
  ready: ReadyRoleKey | null
  roleSign: string
  permissions: string[]
  /** Empty: every device. */
  deviceGroupIds: string[]
}

/** Return the roles of these users, oldest first. */
export function rolesOfUsersUnscoped(db: Database, userIds: readonly string[]): Promise<UserRole[]> {
  return db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['userRole.userId', 'role.id', 'role.name', 'role.ready', 'role.roleSign', 'role.permissions'])
    .select('role.deviceGroupIds')
    .where('userRole.userId', '=', oneOf(userIds))
    .orderBy('role.createdAt')
    .orderBy('role.id')
    .execute()
}

export interface UserValues {
  realName: string
  administratorName: string
  email: string
  telephoneSealed: Buffer | null
  idCardSealed: Buffer | null
  organisationId: string
  expiry: number | null
  passwordValidity: string
  masking: boolean
}
const columnsOf = (values: UserValues) => ({
  realName: values.realName,
  administratorName: values.administratorName,
  email: values.email,
  telephoneSealed: values.telephoneSealed,
  idCardSealed: values.idCardSealed,
  organisationId: values.organisationId,
  expiresAt: values.expiry === null ? null : timestamp(values.expiry),
  passwordValidity: values.passwordValidity,
  masking: values.masking,
})

export async function insertUserUnscoped(
  db: Database,
  account: NewAccount,
  values: UserValues,
  passwordExpiresAt: number | null,
  roleIds: readonly string[],
  now: number,
): Promise<void> {
  await insertAccountUnscoped(db, account, roleIds, now)
  await db
    .updateTable('userAccount')
    .set({ ...columnsOf(values), passwordExpiresAt: passwordExpiresAt === null ? null : timestamp(passwordExpiresAt) })
    .where('id', '=', account.id)
    .execute()
}

/** Update an account. @returns false where the version is no longer the current one @param passwordExpiresAt undefined: unchanged */
export function updateUserUnscoped(
  db: Database,
  id: string,
  values: UserValues,
  passwordExpiresAt: number | null | undefined,
  version: number,
  now: number,
): Promise<boolean> {
  const expiry = passwordExpiresAt !== undefined && {
    passwordExpiresAt: passwordExpiresAt === null ? null : timestamp(passwordExpiresAt),
  }
  return updateAtVersionUnscoped(db, 'userAccount', { id, version }, { ...columnsOf(values), ...expiry }, now)
}

export async function replaceRolesUnscoped(db: Database, userId: string, roleIds: readonly string[]): Promise<void> {
  await db.deleteFrom('userRole').where('userId', '=', userId).execute()
  await db
    .insertInto('userRole')
    .values(roleIds.map((roleId) => ({ userId, roleId })))
    .execute()
}

export async function updateEnabledUnscoped(db: Database, ids: readonly string[], enabled: boolean, now: number): Promise<void> {
  await db
    .updateTable('userAccount')
    .set((eb) => ({ enabled, ...(enabled && { enabledAt: timestamp(now) }), updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('id', '=', oneOf(ids))
    .execute()
}

export async function deleteUserUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('userAccount').where('id', '=', id).execute()
}

/** Return whether another account has the address. Within a transaction, nobody else can take the address until it ends. */
export async function emailTakenUnscoped(db: Database, address: string, except: string | null): Promise<boolean> {
  if (db.isTransaction) await sql`SELECT pg_advisory_xact_lock(hashtext('user_account.email'))`.execute(db)
  const found = await db
    .selectFrom('userAccount')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', address.toLowerCase()))
    .$if(except !== null, (query) => query.where('id', '<>', except!))
    .executeTakeFirst()
  return found !== undefined
}

/** Return the enabled accounts at a node, with what their roles give. */
export async function enabledAtUnscoped(
  db: Database,
  organisationId: string,
  now: number,
): Promise<{ id: string; roleSign: string; permissions: string[] }[]> {
  return db
    .selectFrom('userAccount')
    .innerJoin('userRole', 'userRole.userId', 'userAccount.id')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['userAccount.id', 'role.roleSign', 'role.permissions'])
    .where('userAccount.organisationId', '=', organisationId)
    .where('userAccount.enabled', '=', true)
    .where((eb) => eb.or([eb('userAccount.expiresAt', 'is', null), eb('userAccount.expiresAt', '>', timestamp(now))]))
    .execute()
}

/** Return the enabled accounts that were not used since a moment; creation and enabling count as use. */
export async function unusedSinceUnscoped(db: Database, moment: number): Promise<{ id: string; account: string }[]> {
  return db
    .selectFrom('userAccount')
    .select(['id', 'account'])
    .where('enabled', '=', true)
    .where(sql<number>`greatest(created_at, last_login_at, enabled_at)`, '<', timestamp(moment))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('token')
            .select('token.id')
            .whereRef('token.userId', '=', 'userAccount.id')
            .where('seenAt', '>=', timestamp(moment)),
        ),
      ),
    )
    .orderBy('id')
    .execute()
}

/** Return the id of that of these accounts that was used last. */
export async function lastUsedUnscoped(db: Database, ids: readonly string[]): Promise<string | null> {
  const row = await db
    .selectFrom('userAccount')
    .select('id')
    .where('id', '=', oneOf(ids))
    .orderBy(sql`greatest(created_at, last_login_at, enabled_at)`, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
