/** Rows of accounts. Unscoped throughout: an account belongs to a node of the tree, not to a park. */
import type { Language } from '@gatehouse/contract'
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'

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
  'realName',
  'email',
  'passwordHash',
  'organisationId',
  'enabled',
  'masking',
  'expiresAt',
  'passwordExpiresAt',
  'mustChange',
  'passwordChangedAt',
  'passwordValidity',
  'idCardSealed',
  'telephoneSealed',
  'lastParkId',
])

export async function findAccountUnscoped(db: Database, by: { id: string } | { account: string }): Promise<Account | undefined> {
  const query = db.selectFrom('userAccount').select(accountColumns)
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where((eb) => eb(eb.fn('lower', ['account']), '=', by.account.toLowerCase()))
  ).executeTakeFirst()
  return row as Account | undefined
}

export async function countAccountsUnscoped(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('userAccount')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function rolesOfUnscoped(
  db: Database,
  userId: string,
): Promise<{ id: string; name: string; ready: ReadyRoleKey | null; roleSign: string; permissions: string[]; deviceGroupIds: string[] }[]> {
  return db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['role.id', 'role.name', 'role.ready', 'role.roleSign', 'role.permissions'])
    .select('role.deviceGroupIds')
    .where('userRole.userId', '=', userId)
    .orderBy('role.createdAt')
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
  /** Whether another user set the password: the first login requires a new one. */
  mustChange?: boolean
}

export async function insertAccountUnscoped(db: Database, account: NewAccount, roleIds: readonly string[], now: number): Promise<void> {
  await db
    .insertInto('userAccount')
    .values({
      id: account.id,
      account: account.account,
      realName: account.realName,
      email: '',
      passwordHash: account.passwordHash,
      organisationId: account.organisationId,
      enabled: true,
      masking: account.masking ?? false,
      expiresAt: null,
      passwordExpiresAt: null,
      lastParkId: null,
      lastLoginAt: null,
      language: null,
      idCardSealed: null,
      telephoneSealed: null,
      passwordValidity: 'forever',
      passwordChangedAt: timestamp(now),
      mustChange: account.mustChange ?? false,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
  await db
    .insertInto('userRole')
    .values(roleIds.map((roleId) => ({ userId: account.id, roleId })))
    .execute()
}

export async function insertRoleUnscoped(
  db: Database,
  role: {
    id: string
    name: string
    roleSign: string
    permissions: readonly string[]
    organisationId?: string
    /** Every device by default. */
    deviceGroupIds?: readonly string[]
  },
  now: number,
): Promise<void> {
  await db
    .insertInto('role')
    .values({
      id: role.id,
      name: role.name,
      roleSign: role.roleSign,
      permissions: [...role.permissions],
      roleLabel: role.roleSign === 'admin' ? 1 : 2,
      organisationId: role.organisationId ?? null,
      deviceGroupIds: [...(role.deviceGroupIds ?? [])],
      ready: null,
      remark: '',
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Note when a user last logged in, and in which language unless that is null. */
export async function updateLoginUnscoped(db: Database, userId: string, loginAt: number, language: Language | null): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ lastLoginAt: timestamp(loginAt), ...(language !== null && { language }) })
    .where('id', '=', userId)
    .execute()
}

/** Return the language of messages to a user: that of their last login. @param fallback of the request, where none is stored */
export async function mailLanguageUnscoped(db: Database, userId: string, fallback: Language): Promise<Language> {
  const row = await db.selectFrom('userAccount').select('language').where('id', '=', userId).executeTakeFirst()
  return row?.language ?? fallback
}

export interface NewPassword {
  passwordHash: string
  changedAt: number
  /** Null: never. */
  expiresAt: number | null
  mustChange: boolean
}

/** Store a new password. It opens every lock of the account, whatever the origin of the failures. */
export async function updatePasswordUnscoped(
  db: Database,
  userId: string,
  { passwordHash, changedAt, expiresAt, mustChange }: NewPassword,
): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({
      passwordHash,
      passwordChangedAt: timestamp(changedAt),
      passwordExpiresAt: expiresAt === null ? null : timestamp(expiresAt),
      mustChange,
    })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('loginFailure').where('userId', '=', userId).execute()
}

/** Note the park that a user was last in. The next login starts there. */
export async function updateLastParkUnscoped(db: Database, userId: string, parkId: string): Promise<void> {
  await db.updateTable('userAccount').set({ lastParkId: parkId }).where('id', '=', userId).execute()
}
