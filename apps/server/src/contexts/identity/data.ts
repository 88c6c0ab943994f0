/** Rows of accounts. Unscoped throughout: an account belongs to a node of the tree, not to a park. */
import type { Language } from '@gatehouse/contract'
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface Account {
  id: string
  account: string
  realName: string
  email: string
  passwordHash: string
  organisationId: string
  enabled: boolean
  masking: boolean
  expiresAt: number | null
  passwordExpiresAt: number | null
  mustChange: boolean
  passwordChangedAt: number
  passwordValidity: string
  idCardSealed: Buffer | null
  telephoneSealed: Buffer | null
  lastParkId: string | null
}

const accountColumns = columnList([
  'id',
  'account',
  'real_name as realName',
  'email',
  'password_hash as passwordHash',
  'organisation_id as organisationId',
  'enabled',
  'masking',
  'expires_at as expiresAt',
  'password_expires_at as passwordExpiresAt',
  'must_change as mustChange',
  'password_changed_at as passwordChangedAt',
  'password_validity as passwordValidity',
  'id_card_sealed as idCardSealed',
  'telephone_sealed as telephoneSealed',
  'last_park_id as lastParkId',
])

export async function findAccountUnscoped(db: Db, by: { id: string } | { account: string }): Promise<Account | undefined> {
  const query = db.selectFrom('user_account').select(accountColumns)
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where((eb) => eb(eb.fn('lower', ['account']), '=', by.account.toLowerCase()))
  ).executeTakeFirst()
  return row as Account | undefined
}

export async function countAccountsUnscoped(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('user_account')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function rolesOfUnscoped(
  db: Db,
  userId: string,
): Promise<{ id: string; name: string; ready: ReadyRoleKey | null; roleSign: string; permissions: string[]; deviceGroupIds: string[] }[]> {
  return db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'user_role.role_id')
    .select(['role.id', 'role.name', 'role.ready', 'role.role_sign as roleSign', 'role.permissions'])
    .select('role.device_group_ids as deviceGroupIds')
    .where('user_role.user_id', '=', userId)
    .orderBy('role.created_at')
    .orderBy('role.id')
    .execute()
}

export interface NewAccount {
  id: string
  account: string
  realName: string
  passwordHash: string
  organisationId: string
  masking?: boolean
  /** A password somebody else gave: the first login asks for another. */
  mustChange?: boolean
}

export async function insertAccountUnscoped(db: Db, account: NewAccount, roleIds: readonly string[], now: number): Promise<void> {
  await db
    .insertInto('user_account')
    .values({
      id: account.id,
      account: account.account,
      real_name: account.realName,
      email: '',
      password_hash: account.passwordHash,
      organisation_id: account.organisationId,
      enabled: true,
      masking: account.masking ?? false,
      expires_at: null,
      password_expires_at: null,
      last_park_id: null,
      last_login_at: null,
      language: null,
      id_card_sealed: null,
      telephone_sealed: null,
      password_validity: 'forever',
      password_changed_at: timestamp(now),
      must_change: account.mustChange ?? false,
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

export async function insertRoleUnscoped(
  db: Db,
  role: {
    id: string
    name: string
    roleSign: string
    permissions: readonly string[]
    organisationId?: string
    /** Every device unless told. */
    deviceGroupIds?: readonly string[]
  },
  now: number,
): Promise<void> {
  await db
    .insertInto('role')
    .values({
      id: role.id,
      name: role.name,
      role_sign: role.roleSign,
      permissions: [...role.permissions],
      role_label: role.roleSign === 'admin' ? 1 : 2,
      organisation_id: role.organisationId ?? null,
      device_group_ids: [...(role.deviceGroupIds ?? [])],
      ready: null,
      remark: '',
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Note when an account was last logged in to, and in which language unless that is null. */
export async function updateLoginUnscoped(db: Db, userId: string, loginAt: number, language: Language | null): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ last_login_at: timestamp(loginAt), ...(language !== null && { language }) })
    .where('id', '=', userId)
    .execute()
}

/** Return the language in which a user is written to: that of their last login. @param asked of the request, where none is known */
export async function mailLanguageUnscoped(db: Db, userId: string, asked: Language): Promise<Language> {
  const row = await db.selectFrom('user_account').select('language').where('id', '=', userId).executeTakeFirst()
  return row?.language ?? asked
}

export interface NewPassword {
  passwordHash: string
  changedAt: number
  /** Null: never. */
  expiresAt: number | null
  mustChange: boolean
}

/** Store a new password. It opens every lock of the account, wherever the failures came from. */
export async function updatePasswordUnscoped(
  db: Db,
  userId: string,
  { passwordHash, changedAt, expiresAt, mustChange }: NewPassword,
): Promise<void> {
  await db
    .updateTable('user_account')
    .set({
      password_hash: passwordHash,
      password_changed_at: timestamp(changedAt),
      password_expires_at: expiresAt === null ? null : timestamp(expiresAt),
      must_change: mustChange,
    })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('login_failure').where('user_id', '=', userId).execute()
}

/** Notes the park a user was last in, where the next login begins. */
export async function updateLastParkUnscoped(db: Db, userId: string, parkId: string): Promise<void> {
  await db.updateTable('user_account').set({ last_park_id: parkId }).where('id', '=', userId).execute()
}
