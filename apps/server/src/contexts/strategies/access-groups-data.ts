/** Rows of access groups and of what they name; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { DoorKind } from './access-groups-schema.ts'

/** Groups with how many strategies name each. */
const withUses = (db: Database) =>
  db
    .selectFrom('accessGroup')
    .select(['id', 'name', 'version', 'updatedAt'])
    .select(
      sql<number>`(SELECT count(*) FROM strategy_member WHERE strategy_member.park_id = access_group.park_id AND kind = 'accessGroup'
        AND member_id = access_group.id)`.as('strategyCount'),
    )

/** All groups of the park, by name. */
export function listAccessGroups(scope: Scope, db: Database) {
  return withUses(db).where('parkId', '=', scope.parkId).orderBy('name').orderBy('id').execute()
}
export type AccessGroupRow = Awaited<ReturnType<typeof listAccessGroups>>[number]

/** The named groups of this park, by name; unknown ids are left out. */
export function findAccessGroups(scope: Scope, db: Database, ids: readonly string[]): Promise<AccessGroupRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withUses(db).where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).orderBy('name').orderBy('id').execute()
}

/** Ids named by each group, one row per group and kind. */
export function findDoorsOf(
  scope: Scope,
  db: Database,
  groupIds: readonly string[],
): Promise<{ groupId: string; kind: DoorKind; memberIds: string[] }[]> {
  if (groupIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('accessGroupMember')
    .select(['groupId', 'kind'])
    .select(sql<string[]>`array_agg(member_id ORDER BY member_id)`.as('memberIds'))
    .where('parkId', '=', scope.parkId)
    .where('groupId', '=', oneOf(groupIds))
    .groupBy(['groupId', 'kind'])
    .execute()
}

/** Ids of the groups that name one of these. */
export async function findAccessGroupIdsNaming(
  scope: Scope,
  db: Database,
  named: readonly { kind: DoorKind; ids: readonly string[] }[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('accessGroupMember')
    .select('groupId as id')
    .distinct()
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or(named.map(({ kind, ids }) => eb.and([eb('kind', '=', kind), eb('memberId', '=', oneOf(ids))]))))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The groups as no other transaction changes or deletes them until this one ends; `share` lets other strategies name them
 * too, and waits for whoever changes what they name.
 */
export function lockAccessGroups(
  scope: Scope,
  db: Database,
  ids: readonly string[],
  strength: 'update' | 'share',
): Promise<{ id: string }[]> {
  if (ids.length === 0) return Promise.resolve([])
  const rows = db.selectFrom('accessGroup').select('id').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).orderBy('id')
  return (strength === 'update' ? rows.forUpdate() : rows.forShare()).execute()
}

export async function insertAccessGroup(
  scope: Scope,
  db: Database,
  { id, name }: { id: string; name: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('accessGroup')
    .values({ id, parkId: scope.parkId, name, createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** False where the group is not at `version` any more. */
export function updateAccessGroup(
  scope: Scope,
  db: Database,
  { id, name }: { id: string; name: string },
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'accessGroup', { id, version }, { name }, now)
}

/** Makes these what a group names. */
export async function replaceDoors(
  scope: Scope,
  db: Database,
  groupId: string,
  members: readonly { kind: DoorKind; id: string }[],
): Promise<void> {
  await db.deleteFrom('accessGroupMember').where('groupId', '=', groupId).where('parkId', '=', scope.parkId).execute()
  if (members.length === 0) return
  await sql`INSERT INTO access_group_member (group_id, park_id, kind, member_id)
    SELECT ${groupId}::uuid, ${scope.parkId}::uuid, member.kind, member.id
    FROM unnest(${sql.val(members.map(({ kind }) => kind))}::text[], ${sql.val(members.map(({ id }) => id))}::uuid[])
      AS member (kind, id)`.execute(db)
}

/** Takes doors out of every group; answers the ids of those that named one. */
export async function removeDoors(scope: Scope, db: Database, kind: DoorKind, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length === 0) return []
  const rows = await db
    .deleteFrom('accessGroupMember')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('memberId', '=', oneOf(memberIds))
    .returning('groupId as id')
    .execute()
  return [...new Set(rows.map(({ id }) => id))]
}

export async function deleteAccessGroup(scope: Scope, db: Database, id: string): Promise<void> {
  await db.deleteFrom('accessGroup').where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}
