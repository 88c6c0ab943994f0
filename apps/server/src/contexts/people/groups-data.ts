/** Rows of person groups; every function takes the scope first, and groups of trees that do not exist for its asker are in no answer. */
import { oneOf, sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { seenTypes } from './group-sight.ts'
import type { PeopleTables } from './schema.ts'

type Db = Database<PeopleTables>

export interface GroupRow {
  id: string
  name: string
  parentId: string | null
  type: number
  order: number
}

/** Whoever changes the tree of a park waits here for whoever else does: two moves must not make a ring. */
export async function lockGroups(scope: Scope, tx: Tx<PeopleTables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('person_group'), hashtext(${scope.parkId}))`.execute(tx)
}

/** All groups as they stand among their siblings: those put on top first, the latest of them before the others, then by age. */
export function listGroups(scope: Scope, db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('person_group')
    .select(['id', 'name', 'parent_id as parentId', 'type', 'position as order'])
    .where('park_id', '=', scope.parkId)
    .where('type', 'in', seenTypes(scope))
    .orderBy('position', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Db): Promise<{ id: string; parentId: string | null }[]> {
  return db
    .selectFrom('person_group')
    .select(['id', 'parent_id as parentId'])
    .where('park_id', '=', scope.parkId)
    .where('type', 'in', seenTypes(scope))
    .execute()
}

/** The named groups of this park, in no order. @param ids uuids */
export function findGroups(scope: Scope, db: Db, ids: readonly string[]): Promise<{ id: string; name: string; type: number }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person_group')
    .select(['id', 'name', 'type'])
    .where('park_id', '=', scope.parkId)
    .where('type', 'in', seenTypes(scope))
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Persons directly in each group; a group without any is absent. */
export async function countByGroup(scope: Scope, db: Db, kind?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('person')
    .select((eb) => ['group_id as groupId', eb.fn.countAll<number>().as('count')])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ groupId, count }) => [groupId, count]))
}

export async function insertGroup(
  scope: Scope,
  tx: Tx<PeopleTables>,
  group: { id: string; name: string; parentId: string | null; type: number },
  now: number,
): Promise<void> {
  await tx
    .insertInto('person_group')
    .values({
      id: group.id,
      park_id: scope.parkId,
      name: group.name,
      parent_id: group.parentId,
      type: group.type,
      position: 0,
      created_at: timestamp(now),
    })
    .execute()
}

export async function updateGroup(
  scope: Scope,
  tx: Tx<PeopleTables>,
  id: string,
  change: { name?: string; parent_id?: string | null; position?: number },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx.updateTable('person_group').set(change).where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}

/** @throws DatabaseError 23503 where a person or a group is in it */
export async function deleteGroup(scope: Scope, tx: Tx<PeopleTables>, id: string): Promise<void> {
  await tx.deleteFrom('person_group').where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}
