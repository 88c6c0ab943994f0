/** Rows of person groups; every function takes the scope first, and groups of trees that do not exist for its asker are in no answer. */
import { oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { isRegistered } from './data.ts'
import { visibleGroupTypes } from './policy.ts'

export interface GroupRow {
  id: string
  name: string
  parentId: string | null
  type: number
  order: number
}

/** Lock the tree of a park against other changes: two concurrent moves must not make a ring. */
export async function lockGroups(scope: Scope, tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('person_group'), hashtext(${scope.parkId}))`.execute(tx)
}

/** All groups as they stand among their siblings: those put on top first, the latest of them before the others, then by age. */
export function listGroups(scope: Scope, db: Database): Promise<GroupRow[]> {
  return db
    .selectFrom('personGroup')
    .select(['id', 'name', 'parentId', 'type', 'position as order'])
    .where('parkId', '=', scope.parkId)
    .where('type', 'in', visibleGroupTypes(scope))
    .orderBy('position', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Database): Promise<{ id: string; parentId: string | null }[]> {
  return db
    .selectFrom('personGroup')
    .select(['id', 'parentId'])
    .where('parkId', '=', scope.parkId)
    .where('type', 'in', visibleGroupTypes(scope))
    .execute()
}

/** The named groups of this park, in no order. @param ids uuids */
export function findGroups(scope: Scope, db: Database, ids: readonly string[]): Promise<{ id: string; name: string; type: number }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('personGroup')
    .select(['id', 'name', 'type'])
    .where('parkId', '=', scope.parkId)
    .where('type', 'in', visibleGroupTypes(scope))
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Stands for all kinds of the registers. */
export const REGISTERED = 'registered'

/** Persons directly in each group; a group without any is absent. @param kind absent: all, those of visits too */
export async function countByGroup(scope: Scope, db: Database, kind?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('person')
    .select((eb) => ['groupId', eb.fn.countAll<number>().as('count')])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .$if(kind !== undefined, (query) => (kind === REGISTERED ? query.where(isRegistered) : query.where('kind', '=', kind!)))
    .groupBy('groupId')
    .execute()
  return new Map(rows.map(({ groupId, count }) => [groupId, count]))
}

export async function insertGroup(
  scope: Scope,
  tx: Transaction,
  group: { id: string; name: string; parentId: string | null; type: number },
  now: number,
): Promise<void> {
  await tx
    .insertInto('personGroup')
    .values({
      id: group.id,
      parkId: scope.parkId,
      name: group.name,
      parentId: group.parentId,
      type: group.type,
      position: 0,
      createdAt: timestamp(now),
    })
    .execute()
}

export async function updateGroup(
  scope: Scope,
  tx: Transaction,
  id: string,
  change: { name?: string; parentId?: string | null; position?: number },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await tx.updateTable('personGroup').set(change).where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}

/** @throws DatabaseError 23503 where a person or a group is in it */
export async function deleteGroup(scope: Scope, tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('personGroup').where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}
