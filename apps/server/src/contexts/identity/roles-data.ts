/** Rows of roles. Unscoped: a role belongs to a node of the tree, not to a park. */
import type { ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'

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
  /** Users who hold it, within the requested nodes. */
  users: number
  version: number
  createdAt: number
}

/** @param nodeIds nodes whose users are counted; null: all of them */
const roles = (db: Database, nodeIds: readonly string[] | null) =>
  db.selectFrom('role').select((eb) => [
    'id',
    'name',
    'ready',
    'permissions',
    'roleLabel',
    'roleSign',
    'organisationId',
    'deviceGroupIds',
    'remark',
    'version',
    'createdAt',
    eb
      .selectFrom('userRole')
      .innerJoin('userAccount', 'userAccount.id', 'userRole.userId')
      .whereRef('userRole.roleId', '=', 'role.id')
      .$if(nodeIds !== null, (assignments) => assignments.where('userAccount.organisationId', '=', oneOf(nodeIds!)))
      .select(({ fn }) => fn.countAll<number>().as('users'))
      .as('users'),
  ])

/** Ready roles first: `false` comes before `true`. */
const READY_FIRST = sql<boolean>`ready IS NULL`

export interface RoleFilter {
  name?: string | undefined
  /** Ready roles whose name, in the language of the request, contains the text that is searched for. */
  readyCalled?: readonly ReadyRoleKey[] | undefined
  roleSign?: string | undefined
  page: number
  size: number
}

/** @param nodeIds nodes the roles belong to, and their users; null: all of them. Ready roles are everybody's. */
export async function listRolesUnscoped(
  db: Database,
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
  if (roleSign !== undefined) rows = rows.where('roleSign', '=', roleSign)
  if (nodeIds !== null) rows = rows.where((eb) => eb.or([eb('organisationId', '=', oneOf(nodeIds)), eb('ready', 'is not', null)]))
  const { content, total } = await readPage(rows.orderBy(READY_FIRST).orderBy('createdAt').orderBy('id'), { page, size })
  return { total, content: content as RoleRow[] }
}

/** @param nodeIds nodes whose users are counted; null: all of them */
export async function findRolesUnscoped(
  db: Database,
  ids: readonly string[],
  nodeIds: readonly string[] | null = null,
): Promise<RoleRow[]> {
  return (await roles(db, nodeIds).where('id', '=', oneOf(ids)).execute()) as RoleRow[]
}

/** Return all roles. Their number does not grow with the number of users. */
export async function allRolesUnscoped(db: Database): Promise<RoleRow[]> {
  return (await roles(db, null).orderBy(READY_FIRST).orderBy('createdAt').orderBy('id').execute()) as RoleRow[]
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
  roleLabel,
  roleSign,
  organisationId,
  deviceGroupIds: [...deviceGroupIds],
  remark,
})

export async function insertRoleValuesUnscoped(db: Database, id: string, values: RoleValues, now: number): Promise<void> {
  await db
    .insertInto('role')
    .values({ id, ...columnsOf(values), ready: null, createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** Update a role. @returns false where the version is no longer the current one */
export function updateRoleUnscoped(db: Database, id: string, values: RoleValues, version: number, now: number): Promise<boolean> {
  return updateAtVersionUnscoped(db, 'role', { id, version }, columnsOf(values), now)
}

export async function deleteRoleUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('role').where('id', '=', id).execute()
}

/** Return the users who hold a role, with their nodes. */
export function holdersUnscoped(db: Database, roleId: string): Promise<{ id: string; organisationId: string }[]> {
  return db
    .selectFrom('userRole')
    .innerJoin('userAccount', 'userAccount.id', 'userRole.userId')
    .select(['userAccount.id', 'userAccount.organisationId'])
    .where('userRole.roleId', '=', roleId)
    .execute()
}
