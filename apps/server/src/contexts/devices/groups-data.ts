/** Rows of device groups; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceGroupIsSeen } from '../../platform/session/sight.ts'
import type { DevicesTables } from './schema.ts'

type Db = Database<DevicesTables>

export interface GroupRow {
  id: string
  name: string
  parentId: string | null
  defaultDirection: number | null
}

/** Whoever changes the tree of a park waits here for whoever else does: two moves must not make a ring. */
export async function lockGroups(scope: Scope, tx: Tx<DevicesTables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('device_group'), hashtext(${scope.parkId}))`.execute(tx)
}

/** What stands above a group, as far as it exists for the asker. */
const seenParent = (scope: Scope) =>
  sql<string | null>`CASE WHEN ${deviceGroupIsSeen(scope, 'device_group.parent_id')} THEN parent_id END`.as('parentId')

const groupsOf = (scope: Scope, db: Db) =>
  db.selectFrom('device_group').where('park_id', '=', scope.parkId).where(deviceGroupIsSeen(scope, 'device_group.id'))

/** All groups, the oldest first. */
export function listGroups(scope: Scope, db: Db): Promise<GroupRow[]> {
  return groupsOf(scope, db)
    .select(['id', 'name', seenParent(scope), 'default_direction as defaultDirection'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Db): Promise<{ id: string; parentId: string | null }[]> {
  return groupsOf(scope, db)
    .select(['id', seenParent(scope)])
    .execute()
}

/** The parks of these groups. Unscoped: a role may name groups of several parks. */
export function findParksOfGroupsUnscoped(db: Db, ids: readonly string[]): Promise<{ id: string; parkId: string }[]> {
  return db.selectFrom('device_group').select(['id', 'park_id as parkId']).where('id', '=', oneOf(ids)).execute()
}

/** These groups and all below them. Unscoped for the same reason. */
export async function findGroupsBelowUnscoped(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .withRecursive('reached', (query) =>
      query
        .selectFrom('device_group')
        .select('id')
        .where('id', '=', oneOf(ids))
        .union(query.selectFrom('device_group').innerJoin('reached', 'reached.id', 'device_group.parent_id').select('device_group.id')),
    )
    .selectFrom('reached')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Devices directly in each group; a group without any is absent. */
export async function countByGroup(scope: Scope, db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('device')
    .select((eb) => ['group_id as groupId', eb.fn.countAll<number>().as('count')])
    .where('park_id', '=', scope.parkId)
    .where('group_id', 'is not', null)
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ groupId, count }) => [groupId!, count]))
}

export async function insertGroup(scope: Scope, tx: Tx<DevicesTables>, group: GroupRow, now: number): Promise<void> {
  await tx
    .insertInto('device_group')
    .values({
      id: group.id,
      park_id: scope.parkId,
      name: group.name,
      parent_id: group.parentId,
      default_direction: group.defaultDirection,
      created_at: timestamp(now),
    })
    .execute()
}

export async function updateGroup(scope: Scope, tx: Tx<DevicesTables>, { id, name, parentId, defaultDirection }: GroupRow): Promise<void> {
  await tx
    .updateTable('device_group')
    .set({ name, parent_id: parentId, default_direction: defaultDirection })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .execute()
}

/** @throws DatabaseError 23503 where a device or a group is in it */
export async function deleteGroup(scope: Scope, tx: Tx<DevicesTables>, id: string): Promise<void> {
  await tx.deleteFrom('device_group').where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}
