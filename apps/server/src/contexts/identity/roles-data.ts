/** Rows of roles. Unscoped: a role belongs to a node of the tree, not to a park. */
import { containing, oneOf, timestamp, type Database } from '../../platform/database.ts'
import { readPage } from '../../platform/page.ts'
import { updateAtVersionUnscoped } from '../../platform/versioned-rows.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface RoleRow {
  id: string
  name: string
  permissions: string[]
  roleLabel: number
  roleSign: string
  /** Null: the root. */
  organisationId: string | null
  remark: string
  /** Users who hold it. */
  users: number
  version: number
  createdAt: number
}

const roles = (db: Db) =>
  db.selectFrom('role').select((eb) => [
    'id',
    'name',
    'permissions',
    'role_label as roleLabel',
    'role_sign as roleSign',
    'organisation_id as organisationId',
    'remark',
    'version',
    'created_at as createdAt',
    eb
      .selectFrom('user_role')
      .whereRef('user_role.role_id', '=', 'role.id')
      .select(({ fn }) => fn.countAll<number>().as('users'))
      .as('users'),
  ])

export interface RoleFilter {
  name?: string | undefined
  roleSign?: string | undefined
  page: number
  size: number
}

/** @param nodeIds nodes the roles belong to; null: all of them */
export async function listRolesUnscoped(
  db: Db,
  { name, roleSign, page, size }: RoleFilter,
  nodeIds: readonly string[] | null,
): Promise<{ total: number; content: RoleRow[] }> {
  let rows = roles(db)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  if (roleSign !== undefined) rows = rows.where('role_sign', '=', roleSign)
  if (nodeIds !== null) rows = rows.where('organisation_id', '=', oneOf(nodeIds))
  const { content, total } = await readPage(rows.orderBy('created_at').orderBy('id'), { page, size })
  return { total, content: content as RoleRow[] }
}

export async function findRolesUnscoped(db: Db, ids: readonly string[]): Promise<RoleRow[]> {
  return (await roles(db).where('id', '=', oneOf(ids)).execute()) as RoleRow[]
}

/** All of them: there are as many as people have made, not as many as there are people. */
export async function allRolesUnscoped(db: Db): Promise<RoleRow[]> {
  return (await roles(db).orderBy('created_at').orderBy('id').execute()) as RoleRow[]
}

export interface RoleValues {
  name: string
  permissions: readonly string[]
  roleLabel: number
  roleSign: string
  organisationId: string
  remark: string
}
const columnsOf = ({ name, permissions, roleLabel, roleSign, organisationId, remark }: RoleValues) => ({
  name,
  permissions: [...permissions],
  role_label: roleLabel,
  role_sign: roleSign,
  organisation_id: organisationId,
  remark,
})

export async function insertRoleValuesUnscoped(db: Db, id: string, values: RoleValues, now: number): Promise<void> {
  await db
    .insertInto('role')
    .values({ id, ...columnsOf(values), created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
    .execute()
}

/** False where the version is no longer the current one. */
export function updateRoleUnscoped(db: Db, id: string, values: RoleValues, version: number, now: number): Promise<boolean> {
  return updateAtVersionUnscoped(db, 'role', { id, version }, columnsOf(values), now)
}

export async function deleteRoleUnscoped(db: Db, id: string): Promise<void> {
  await db.deleteFrom('role').where('id', '=', id).execute()
}

/** Who holds a role, and at which node. */
export function holdersUnscoped(db: Db, roleId: string): Promise<{ id: string; organisationId: string }[]> {
  return db
    .selectFrom('user_role')
    .innerJoin('user_account', 'user_account.id', 'user_role.user_id')
    .select(['user_account.id', 'user_account.organisation_id as organisationId'])
    .where('user_role.role_id', '=', roleId)
    .execute()
}
