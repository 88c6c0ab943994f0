/** Rows of device groups; every function takes the scope first. */
import { sql, timestamp, type Database, type Tx } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
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

/** All groups, the oldest first. */
export function listGroups(scope: Scope, db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('device_group')
    .select(['id', 'name', 'parent_id as parentId', 'default_direction as defaultDirection'])
    .where('park_id', '=', scope.parkId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Db): Promise<{ id: string; parentId: string | null }[]> {
  return db.selectFrom('device_group').select(['id', 'parent_id as parentId']).where('park_id', '=', scope.parkId).execute()
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
