/** Rows of accounts as administrators see them. Unscoped: an account belongs to a node of the tree, not to a park. */
import { LOCK_AFTER } from '@gatehouse/contract'
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { insertAccountUnscoped, type NewAccount } from './data.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

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
  /** Whether the login asks for a one-time password besides. */
  secondFactor: boolean
  lastLogin: number | null
  version: number
  createdAt: number
}

/** When the last lock of an account ends, whatever address or browser it is for; null where there is none. */
const lockedUntil = (now: number) => sql<number | null>`(
  SELECT max(until) FROM login_failure WHERE user_id = user_account.id AND count >= ${LOCK_AFTER} AND until > ${timestamp(now)})`

/** What the next login would find, in the order it looks; a disabled account is disabled whatever else it is. */
const stateAt = (now: number) => sql<AccountState>`CASE
  WHEN NOT enabled THEN 'disabled'
  WHEN ${lockedUntil(now)} IS NOT NULL THEN 'locked'
  WHEN expires_at <= ${timestamp(now)} THEN 'expired'
  WHEN must_change OR password_expires_at <= ${timestamp(now)} THEN 'passwordExpired'
  ELSE 'enabled' END`

const users = (db: Db, now: number) =>
  db
    .selectFrom('user_account')
    .select([
      'id',
      'account',
      'real_name as realName',
      'administrator_name as administratorName',
      'email',
      'telephone_sealed as telephoneSealed',
      'id_card_sealed as idCardSealed',
      'organisation_id as organisationId',
      'enabled',
      'expires_at as expiry',
      'password_validity as passwordValidity',
      'password_changed_at as passwordChangedAt',
      'masking',
      'last_login_at as lastLogin',
      'version',
      'created_at as createdAt',
    ])
    .select((eb) => [
      lockedUntil(now).as('lockedUntil'),
      stateAt(now).as('state'),
      eb
        .exists(
          eb
            .selectFrom('second_factor')
            .select('user_id')
            .whereRef('second_factor.user_id', '=', 'user_account.id')
            .where('secret', 'is not', null),
        )
        .as('secondFactor'),
    ])

export interface UserFilter {
  account?: string | undefined
  realName?: string | undefined
  /** What whoever asks may see. */
  sees?: Scope['sees']
  roleId?: string | undefined
  state?: AccountState | undefined
  page: number
  size: number
}

/** @param nodeIds nodes the accounts belong to; null: all of them */
export async function listUsersUnscoped(
  db: Db,
  filter: UserFilter,
  nodeIds: readonly string[] | null,
  now: number,
): Promise<{ total: number; content: UserRow[] }> {
  const { account, realName, roleId, state, page, size } = filter
  let rows = users(db, now)
  if (account !== undefined && account !== '') rows = rows.where('account', 'ilike', containing(account))
  if (realName !== undefined && realName !== '') rows = rows.where('real_name', 'ilike', personalPattern(filter, realName))
  if (roleId !== undefined)
    rows = rows.where('id', 'in', (eb) => eb.selectFrom('user_role').select('user_id').where('role_id', '=', roleId))
  if (state !== undefined) rows = rows.where(stateAt(now), '=', state)
  if (nodeIds !== null) rows = rows.where('organisation_id', '=', oneOf(nodeIds))
  const { content, total } = await readPage(rows.orderBy('created_at', 'desc').orderBy('id', 'desc'), { page, size })
  return { total, content: content as UserRow[] }
}

export async function findUserUnscoped(db: Db, id: string, now: number): Promise<UserRow | undefined> {
  return (await users(db, now).where('id', '=', id).executeTakeFirst()) as UserRow | undefined
}

/** Those of these ids that are users', with where they belong. */
export function knownUsersUnscoped(
  db: Db,
  userIds: readonly string[],
): Promise<{ id: string; realName: string; organisationId: string }[]> {
  return db
    .selectFrom('user_account')
    .select(['id', 'real_name as realName', 'organisation_id as organisationId'])
    .where('id', '=', oneOf(userIds))
    .execute()
}

export interface HeldRole {
  userId: string
  id: string
  name: string
  ready: ReadyRoleKey | null
  roleSign: string
  permissions: string[]
  /** Empty: every device. */
  deviceGroupIds: string[]
}

/** The roles of these users, oldest first. */
export function rolesOfUsersUnscoped(db: Db, userIds: readonly string[]): Promise<HeldRole[]> {
  return db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'user_role.role_id')
    .select(['user_role.user_id as userId', 'role.id', 'role.name', 'role.ready', 'role.role_sign as roleSign', 'role.permissions'])
    .select('role.device_group_ids as deviceGroupIds')
    .where('user_role.user_id', '=', oneOf(userIds))
    .orderBy('role.created_at')
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
  real_name: values.realName,
  administrator_name: values.administratorName,
  email: values.email,
  telephone_sealed: values.telephoneSealed,
  id_card_sealed: values.idCardSealed,
  organisation_id: values.organisationId,
  expires_at: values.expiry === null ? null : timestamp(values.expiry),
  password_validity: values.passwordValidity,
  masking: values.masking,
})

export async function insertUserUnscoped(
  db: Db,
  account: NewAccount,
  values: UserValues,
  passwordExpiresAt: number | null,
  roleIds: readonly string[],
  now: number,
): Promise<void> {
  await insertAccountUnscoped(db, account, roleIds, now)
  await db
    .updateTable('user_account')
    .set({ ...columnsOf(values), password_expires_at: passwordExpiresAt === null ? null : timestamp(passwordExpiresAt) })
    .where('id', '=', account.id)
    .execute()
}

/** False where the version is no longer the current one. @param passwordExpiresAt undefined: as it was */
export function updateUserUnscoped(
  db: Db,
  id: string,
  values: UserValues,
  passwordExpiresAt: number | null | undefined,
  version: number,
  now: number,
): Promise<boolean> {
  const expiry = passwordExpiresAt !== undefined && {
    password_expires_at: passwordExpiresAt === null ? null : timestamp(passwordExpiresAt),
  }
  return updateAtVersionUnscoped(db, 'user_account', { id, version }, { ...columnsOf(values), ...expiry }, now)
}

export async function replaceRolesUnscoped(db: Db, userId: string, roleIds: readonly string[]): Promise<void> {
  await db.deleteFrom('user_role').where('user_id', '=', userId).execute()
  await db
    .insertInto('user_role')
    .values(roleIds.map((roleId) => ({ user_id: userId, role_id: roleId })))
    .execute()
}

export async function updateEnabledUnscoped(db: Db, ids: readonly string[], enabled: boolean, now: number): Promise<void> {
  await db
    .updateTable('user_account')
    .set((eb) => ({ enabled, ...(enabled && { enabled_at: timestamp(now) }), updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('id', '=', oneOf(ids))
    .execute()
}

export async function deleteUserUnscoped(db: Db, id: string): Promise<void> {
  await db.deleteFrom('user_account').where('id', '=', id).execute()
}

/** Whether somebody else has the address. Within a transaction no other can take it until that ends. */
export async function emailTakenUnscoped(db: Db, address: string, except: string | null): Promise<boolean> {
  if (db.isTransaction) await sql`SELECT pg_advisory_xact_lock(hashtext('user_account.email'))`.execute(db)
  const found = await db
    .selectFrom('user_account')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', address.toLowerCase()))
    .$if(except !== null, (query) => query.where('id', '<>', except!))
    .executeTakeFirst()
  return found !== undefined
}

/** Enabled accounts at a node with what their roles give. */
export async function enabledAtUnscoped(
  db: Db,
  organisationId: string,
  now: number,
): Promise<{ id: string; roleSign: string; permissions: string[] }[]> {
  return db
    .selectFrom('user_account')
    .innerJoin('user_role', 'user_role.user_id', 'user_account.id')
    .innerJoin('role', 'role.id', 'user_role.role_id')
    .select(['user_account.id', 'role.role_sign as roleSign', 'role.permissions'])
    .where('user_account.organisation_id', '=', organisationId)
    .where('user_account.enabled', '=', true)
    .where((eb) => eb.or([eb('user_account.expires_at', 'is', null), eb('user_account.expires_at', '>', timestamp(now))]))
    .execute()
}

/** Enabled accounts that were not used since a moment; being made and being enabled count as use. */
export async function unusedSinceUnscoped(db: Db, moment: number): Promise<{ id: string; account: string }[]> {
  return db
    .selectFrom('user_account')
    .select(['id', 'account'])
    .where('enabled', '=', true)
    .where(sql<Date>`greatest(created_at, last_login_at, enabled_at)`, '<', timestamp(moment))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('token')
            .select('token.id')
            .whereRef('token.user_id', '=', 'user_account.id')
            .where('seen_at', '>=', timestamp(moment)),
        ),
      ),
    )
    .orderBy('id')
    .execute()
}

/** The one of these accounts that was used last. */
export async function lastUsedUnscoped(db: Db, ids: readonly string[]): Promise<string | null> {
  const row = await db
    .selectFrom('user_account')
    .select('id')
    .where('id', '=', oneOf(ids))
    .orderBy(sql`greatest(created_at, last_login_at, enabled_at)`, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
