/** Rows of access groups and of what they name; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { DoorKind } from './access-groups-schema.ts'
import type { StrategyTables } from './schema.ts'

type Db = Database<StrategyTables>

/** Groups with how many strategies name each. */
const withUses = (db: Db) =>
  db
    .selectFrom('access_group')
    .select(['id', 'name', 'version', 'updated_at as updatedAt'])
    .select(
      sql<number>`(SELECT count(*) FROM strategy_member WHERE strategy_member.park_id = access_group.park_id AND kind = 'accessGroup' AND member_id = access_group.id)`.as(
        'strategyCount',
      ),
    )

/** All groups of the park, by name. */
export function listAccessGroups(scope: Scope, db: Db) {
  return withUses(db).where('park_id', '=', scope.parkId).orderBy('name').orderBy('id').execute()
}
export type AccessGroupRow = Awaited<ReturnType<typeof listAccessGroups>>[number]

/** The named groups of this park, by name; unknown ids are left out. */
export function findAccessGroups(scope: Scope, db: Db, ids: readonly string[]): Promise<AccessGroupRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withUses(db).where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).orderBy('name').orderBy('id').execute()
}

/** Ids named by each group, one row per group and kind. */
export function findDoorsOf(
  scope: Scope,
  db: Db,
  groupIds: readonly string[],
): Promise<{ groupId: string; kind: DoorKind; memberIds: string[] }[]> {
  if (groupIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('access_group_member')
    .select(['group_id as groupId', 'kind'])
    .select(sql<string[]>`array_agg(member_id ORDER BY member_id)`.as('memberIds'))
    .where('park_id', '=', scope.parkId)
    .where('group_id', '=', oneOf(groupIds))
    .groupBy(['group_id', 'kind'])
    .execute()
}

/** Ids of the groups that name one of these. */
export async function findAccessGroupIdsNaming(
  scope: Scope,
  db: Db,
  named: readonly { kind: DoorKind; ids: readonly string[] }[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('access_group_member')
    .select('group_id as id')
    .distinct()
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or(named.map(({ kind, ids }) => eb.and([eb('kind', '=', kind), eb('member_id', '=', oneOf(ids))]))))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The groups as no other transaction changes or deletes them until this one ends; `share` lets other strategies name them
 * too, and waits for whoever changes what they name.
 */
export function lockAccessGroups(scope: Scope, db: Db, ids: readonly string[], strength: 'update' | 'share'): Promise<{ id: string }[]> {
  if (ids.length === 0) return Promise.resolve([])
  const rows = db.selectFrom('access_group').select('id').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).orderBy('id')
  return (strength === 'update' ? rows.forUpdate() : rows.forShare()).execute()
}

export async function insertAccessGroup(scope: Scope, db: Db, { id, name }: { id: string; name: string }, now: number): Promise<void> {
  await db
    .insertInto('access_group')
    .values({ id, park_id: scope.parkId, name, created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
    .execute()
}

/** False where the group is not at `version` any more. */
export function updateAccessGroup(
  scope: Scope,
  db: Db,
  { id, name }: { id: string; name: string },
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'access_group', { id, version }, { name }, now)
}

/** Makes these what a group names. */
export async function replaceDoors(
  scope: Scope,
  db: Db,
  groupId: string,
  members: readonly { kind: DoorKind; id: string }[],
): Promise<void> {
  await db.deleteFrom('access_group_member').where('group_id', '=', groupId).where('park_id', '=', scope.parkId).execute()
  if (members.length === 0) return
  await sql`INSERT INTO access_group_member (group_id, park_id, kind, member_id)
    SELECT ${groupId}::uuid, ${scope.parkId}::uuid, member.kind, member.id
    FROM unnest(${sql.val(members.map(({ kind }) => kind))}::text[], ${sql.val(members.map(({ id }) => id))}::uuid[]) AS member (kind, id)`.execute(
    db,
  )
}

/** Takes doors out of every group; answers the ids of those that named one. */
export async function removeDoors(scope: Scope, db: Db, kind: DoorKind, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length === 0) return []
  const rows = await db
    .deleteFrom('access_group_member')
    .where('park_id', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('member_id', '=', oneOf(memberIds))
    .returning('group_id as id')
    .execute()
  return [...new Set(rows.map(({ id }) => id))]
}

export async function deleteAccessGroup(scope: Scope, db: Db, id: string): Promise<void> {
  await db.deleteFrom('access_group').where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}
