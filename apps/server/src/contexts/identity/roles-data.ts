/** Rows of roles. Unscoped: a role belongs to a node of the tree, not to a park. */
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface RoleRow {
  id: string
  name: string
  ready: ReadyRoleKey | null
  permissions: string[]
  roleLabel: number
  roleSign: string
  /** Null: the root. */
  organisationId: string | null
  /** Empty: every device. */
  deviceGroupIds: string[]
  remark: string
  /** Users who hold it, of the nodes that were asked about. */
  users: number
  version: number
  createdAt: number
}

/** @param nodeIds nodes whose users are counted; null: all of them */
const roles = (db: Db, nodeIds: readonly string[] | null) =>
  db.selectFrom('role').select((eb) => [
    'id',
    'name',
    'ready',
    'permissions',
    'role_label as roleLabel',
    'role_sign as roleSign',
    'organisation_id as organisationId',
    'device_group_ids as deviceGroupIds',
    'remark',
    'version',
    'created_at as createdAt',
    eb
      .selectFrom('user_role')
      .innerJoin('user_account', 'user_account.id', 'user_role.user_id')
      .whereRef('user_role.role_id', '=', 'role.id')
      .$if(nodeIds !== null, (held) => held.where('user_account.organisation_id', '=', oneOf(nodeIds!)))
      .select(({ fn }) => fn.countAll<number>().as('users'))
      .as('users'),
  ])

/** Ready roles first: `false` comes before `true`. */
const READY_FIRST = sql<boolean>`ready IS NULL`

export interface RoleFilter {
  name?: string | undefined
  /** Ready roles whose name, in the language of the request, holds what is searched for. */
  readyCalled?: readonly ReadyRoleKey[] | undefined
  roleSign?: string | undefined
  page: number
  size: number
}

/** @param nodeIds nodes the roles belong to, and their users; null: all of them. Ready roles are everybody's. */
export async function listRolesUnscoped(
  db: Db,
  { name, readyCalled = [], roleSign, page, size }: RoleFilter,
  nodeIds: readonly string[] | null,
): Promise<{ total: number; content: RoleRow[] }> {
  let rows = roles(db, nodeIds)
  if (name !== undefined && name !== '')
    rows = rows.where((eb) =>
      eb.or([
        eb.and([eb('ready', 'is', null), eb('name', 'ilike', containing(name))]),
        eb('ready', '=', sql<ReadyRoleKey>`ANY(${sql.val(readyCalled)}::text[])`),
      ]),
    )
  if (roleSign !== undefined) rows = rows.where('role_sign', '=', roleSign)
  if (nodeIds !== null) rows = rows.where((eb) => eb.or([eb('organisation_id', '=', oneOf(nodeIds)), eb('ready', 'is not', null)]))
  const { content, total } = await readPage(rows.orderBy(READY_FIRST).orderBy('created_at').orderBy('id'), { page, size })
  return { total, content: content as RoleRow[] }
}

/** @param nodeIds nodes whose users are counted; null: all of them */
export async function findRolesUnscoped(db: Db, ids: readonly string[], nodeIds: readonly string[] | null = null): Promise<RoleRow[]> {
  return (await roles(db, nodeIds).where('id', '=', oneOf(ids)).execute()) as RoleRow[]
}

/** All of them: there are as many as people have made, not as many as there are people. */
export async function allRolesUnscoped(db: Db): Promise<RoleRow[]> {
  return (await roles(db, null).orderBy(READY_FIRST).orderBy('created_at').orderBy('id').execute()) as RoleRow[]
}

export interface RoleValues {
  name: string
  permissions: readonly string[]
  roleLabel: number
  roleSign: string
  organisationId: string
  deviceGroupIds: readonly string[]
  remark: string
}
const columnsOf = ({ name, permissions, roleLabel, roleSign, organisationId, deviceGroupIds, remark }: RoleValues) => ({
  name,
  permissions: [...permissions],
  role_label: roleLabel,
  role_sign: roleSign,
  organisation_id: organisationId,
  device_group_ids: [...deviceGroupIds],
  remark,
})

export async function insertRoleValuesUnscoped(db: Db, id: string, values: RoleValues, now: number): Promise<void> {
  await db
    .insertInto('role')
    .values({ id, ...columnsOf(values), ready: null, created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
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
