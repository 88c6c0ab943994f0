/** Rows of device groups; every scoped function takes the scope first. */
import { oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceGroupIsSeen } from '../../platform/session/sight.ts'

export interface GroupRow {
  id: string
  name: string
  parentId: string | null
  defaultDirection: number | null
}

/** Serialise changes of the tree of a park: two concurrent moves must not form a cycle. */
export async function lockGroups(scope: Scope, tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('device_group'), hashtext(${scope.parkId}))`.execute(tx)
}

/** Select the parent of a group; null if it does not exist for the caller. */
const seenParent = (scope: Scope) =>
  sql<string | null>`CASE WHEN ${deviceGroupIsSeen(scope, 'deviceGroup.parentId')} THEN parent_id END`.as('parentId')

const groupsOf = (scope: Scope, db: Database) =>
  db.selectFrom('deviceGroup').where('parkId', '=', scope.parkId).where(deviceGroupIsSeen(scope, 'deviceGroup.id'))

/** Return all groups that exist for the caller, oldest first. */
export function listGroups(scope: Scope, db: Database): Promise<GroupRow[]> {
  return groupsOf(scope, db)
    .select(['id', 'name', seenParent(scope), 'defaultDirection'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Return the groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Database): Promise<{ id: string; parentId: string | null }[]> {
  return groupsOf(scope, db)
    .select(['id', seenParent(scope)])
    .execute()
}

/** Return the parks of these groups. Unscoped: a role may name groups of several parks. */
export function findParksOfGroupsUnscoped(db: Database, ids: readonly string[]): Promise<{ id: string; parkId: string }[]> {
  return db.selectFrom('deviceGroup').select(['id', 'parkId']).where('id', '=', oneOf(ids)).execute()
}

/** Return these groups and all below them. Unscoped: a role may name groups of several parks. */
export async function findGroupsBelowUnscoped(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .withRecursive('reached', (query) =>
      query
        .selectFrom('deviceGroup')
        .select('id')
        .where('id', '=', oneOf(ids))
        .union(query.selectFrom('deviceGroup').innerJoin('reached', 'reached.id', 'deviceGroup.parentId').select('deviceGroup.id')),
    )
    .selectFrom('reached')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Return the number of devices directly in each group; a group without devices is absent. */
export async function countByGroup(scope: Scope, db: Database): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('device')
    .select((eb) => ['groupId', eb.fn.countAll<number>().as('count')])
    .where('parkId', '=', scope.parkId)
    .where('groupId', 'is not', null)
    .groupBy('groupId')
    .execute()
  return new Map(rows.map(({ groupId, count }) => [groupId!, count]))
}

export async function insertGroup(scope: Scope, tx: Transaction, group: GroupRow, now: number): Promise<void> {
  await tx
    .insertInto('deviceGroup')
    .values({
      id: group.id,
      parkId: scope.parkId,
      name: group.name,
      parentId: group.parentId,
      defaultDirection: group.defaultDirection,
      createdAt: timestamp(now),
    })
    .execute()
}

export async function updateGroup(scope: Scope, tx: Transaction, { id, name, parentId, defaultDirection }: GroupRow): Promise<void> {
  await tx
    .updateTable('deviceGroup')
    .set({ name, parentId, defaultDirection })
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .execute()
}

/** @throws DatabaseError 23503 if a device or a group is in it */
export async function deleteGroup(scope: Scope, tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('deviceGroup').where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}
