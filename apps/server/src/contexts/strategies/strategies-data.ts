/** Rows of strategies, what they name, and the rules they follow; every function takes the scope first. */
import type { authorisedObject, ValueOf } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { StrategyTables, MemberKind } from './schema.ts'

type Db = Database<StrategyTables>

const strategyColumns = columnList([
  'id',
  'name',
  'kind',
  'methods',
  'is_default as isDefault',
  'authorised_object as authorizedObject',
  'valid_from as validFrom',
  'valid_to as validTo',
  'version',
  'updated_at as updatedAt',
])

export interface StrategyQuery {
  name?: string | undefined
  kind?: string | undefined
}

/** Strategies about the park's own persons: those about persons of linked parks have lists of their own. */
const ownStrategies = (scope: Scope, db: Db) =>
  db
    .selectFrom('strategy')
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('associated_rule').select('strategy_id').whereRef('strategy_id', '=', 'strategy.id'))))

export async function listStrategies(scope: Scope, db: Db, query: StrategyQuery, page: number, size: number) {
  let rows = ownStrategies(scope, db)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  return readPage(rows.select(strategyColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'), { page, size })
}
export type StrategyRow = Awaited<ReturnType<typeof listStrategies>>['content'][number]

/** The named strategies of this park, in the order of their ids. */
export function findStrategies(scope: Scope, db: Db, ids: readonly string[]): Promise<StrategyRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategy')
    .select(strategyColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}

/** Strategies of the park's own persons whose name holds a text, and those of these ids; direct ones only where named. */
export function findStrategyChoices(
  scope: Scope,
  db: Db,
  { text, ids, limit }: { text: string; ids: readonly string[]; limit: number },
): Promise<{ id: string; name: string }[]> {
  return ownStrategies(scope, db)
    .select(['id', 'name'])
    .where((eb) =>
      eb.or([
        eb.and([eb('name', 'ilike', containing(text)), eb('kind', '=', 'staff'), eb('direct_at', 'is', null)]),
        eb('id', '=', oneOf(ids)),
      ]),
    )
    .orderBy((eb) => eb('id', '=', oneOf(ids)), 'desc')
    .orderBy(sql`lower(name) = lower(${text})`, 'desc')
    .orderBy('name')
    .limit(limit + ids.length)
    .execute()
}

/** The strategies that permit persons directly at these doors and access groups, by what they permit at. */
export async function findDirectStrategies(scope: Scope, db: Db, targetIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('strategy')
    .select(['id', 'direct_at as directAt'])
    .where('park_id', '=', scope.parkId)
    .where('direct_at', '=', oneOf(targetIds))
    .execute()
  return new Map(rows.map(({ id, directAt }) => [directAt!, id]))
}

/** Make a strategy an ordinary one unless it still permits at this door or access group alone. */
export async function keepDirectAt(scope: Scope, db: Db, id: string, targetId: string | null): Promise<void> {
  await sql`UPDATE strategy SET direct_at = NULL WHERE id = ${id} AND park_id = ${scope.parkId}
    AND direct_at IS DISTINCT FROM ${targetId}::uuid AND direct_at IS NOT NULL`.execute(db)
}

/** Those of these names, lower case, that a strategy has already. */
export async function findTakenNames(scope: Scope, db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ name: string }>`SELECT lower(name) AS name FROM strategy
    WHERE park_id = ${scope.parkId} AND lower(name) = ANY(${sql.val(names)}::text[])`.execute(db)
  return new Set(rows.rows.map(({ name }) => name))
}

export function nameStrategies(scope: Scope, db: Db): Promise<{ id: string; name: string }[]> {
  return ownStrategies(scope, db).select(['id', 'name']).orderBy('name').execute()
}

/** Ids of all strategies, associated rules among them. */
export async function findStrategyIds(scope: Scope, db: Db): Promise<string[]> {
  return (await db.selectFrom('strategy').select('id').where('park_id', '=', scope.parkId).orderBy('name').execute()).map(({ id }) => id)
}

/** Ids named by each strategy, one row per strategy and kind. */
export function findMembers(
  scope: Scope,
  db: Db,
  strategyIds: readonly string[],
): Promise<{ strategyId: string; kind: MemberKind; memberIds: string[] }[]> {
  if (strategyIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategy_member')
    .select(['strategy_id as strategyId', 'kind'])
    .select(sql<string[]>`array_agg(member_id ORDER BY member_id)`.as('memberIds'))
    .where('park_id', '=', scope.parkId)
    .where('strategy_id', 'in', strategyIds)
    .groupBy(['strategy_id', 'kind'])
    .execute()
}

/** Rules of each strategy, with their names. */
export function findRulesOf(
  scope: Scope,
  db: Db,
  strategyIds: readonly string[],
): Promise<{ strategyId: string; id: string; name: string }[]> {
  if (strategyIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategy_time_rule')
    .innerJoin('time_rule', 'time_rule.id', 'strategy_time_rule.time_rule_id')
    .select(['strategy_id as strategyId', 'time_rule.id', 'time_rule.name'])
    .where('time_rule.park_id', '=', scope.parkId)
    .where('strategy_id', 'in', strategyIds)
    .orderBy('time_rule.name')
    .execute()
}

/** Which strategies follow each of these rules. */
export function findStrategyIdsFollowing(
  scope: Scope,
  db: Db,
  ruleIds: readonly string[],
): Promise<{ strategyId: string; ruleId: string }[]> {
  if (ruleIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategy_time_rule')
    .innerJoin('time_rule', 'time_rule.id', 'strategy_time_rule.time_rule_id')
    .select(['strategy_id as strategyId', 'time_rule.id as ruleId'])
    .where('time_rule.park_id', '=', scope.parkId)
    .where('time_rule.id', 'in', ruleIds)
    .execute()
}

/** Ids of the strategies that name one of these, in order. */
export async function findStrategyIdsNaming(
  scope: Scope,
  db: Db,
  named: readonly { kind: MemberKind; ids: readonly string[] }[],
): Promise<string[]> {
  const some = named.filter(({ ids }) => ids.length > 0)
  if (some.length === 0) return []
  const rows = await db
    .selectFrom('strategy_member')
    .select('strategy_id as id')
    .distinct()
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or(some.map(({ kind, ids }) => eb.and([eb('kind', '=', kind), eb('member_id', 'in', ids)]))))
    .orderBy('strategy_id')
    .execute()
  return rows.map((row) => row.id)
}

export interface StrategyValues {
  name: string
  kind: string
  authorizedObject: ValueOf<typeof authorisedObject>
  methods: number[]
  validFrom: number | null
  validTo: number | null
  /** Absent: as it was, and not when new. */
  isDefault?: boolean | undefined
}

const columnsOf = (values: StrategyValues) => ({
  name: values.name,
  kind: values.kind,
  authorised_object: values.authorizedObject,
  methods: values.methods,
  valid_from: values.validFrom === null ? null : timestamp(values.validFrom),
  valid_to: values.validTo === null ? null : timestamp(values.validTo),
  ...(values.isDefault !== undefined && { is_default: values.isDefault }),
})

/** @param directAt the door or access group at which it permits persons directly; null: an ordinary strategy */
export async function insertStrategy(
  scope: Scope,
  db: Db,
  { id, directAt }: { id: string; directAt: string | null },
  values: StrategyValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('strategy')
    .values({
      id,
      park_id: scope.parkId,
      is_default: false,
      ...columnsOf(values),
      direct_at: directAt,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** False where the strategy is not at `version` any more. */
export function updateStrategy(scope: Scope, db: Db, id: string, values: StrategyValues, version: number, now: number): Promise<boolean> {
  return updateAtVersion(scope, db, 'strategy', { id, version }, columnsOf(values), now)
}

/** Makes room for another default of a park and kind: the one that was is so no longer, and stands at another version. */
export async function clearDefault(scope: Scope, db: Db, { id, kind }: { id: string; kind: string }, now: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`strategy default ${scope.parkId}`}, 0))`.execute(db)
  await db
    .updateTable('strategy')
    .set((eb) => ({ is_default: false, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('park_id', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('is_default', '=', true)
    .where('id', '!=', id)
    .execute()
}

/** Makes these the members of a strategy; those that stay are not written again. */
export async function replaceMembers(
  scope: Scope,
  db: Db,
  strategyId: string,
  members: readonly { kind: MemberKind; id: string }[],
): Promise<void> {
  const kinds = members.map((member) => member.kind)
  const ids = members.map((member) => member.id)
  const wanted = sql`unnest(${sql.val(kinds)}::text[], ${sql.val(ids)}::uuid[]) AS wanted (kind, id)`
  await sql`DELETE FROM strategy_member WHERE strategy_id = ${strategyId} AND park_id = ${scope.parkId}
    AND NOT EXISTS (SELECT 1 FROM ${wanted} WHERE wanted.kind = strategy_member.kind AND wanted.id = strategy_member.member_id)`.execute(db)
  await sql`INSERT INTO strategy_member (strategy_id, park_id, kind, member_id)
    SELECT ${strategyId}::uuid, ${scope.parkId}::uuid, wanted.kind, wanted.id FROM ${wanted} ON CONFLICT DO NOTHING`.execute(db)
}

/** Makes these the rules of a strategy; the caller holds their locks. */
export async function replaceRules(scope: Scope, db: Db, strategyId: string, timeRuleIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('strategy_time_rule')
    .where('strategy_id', 'in', (eb) =>
      eb.selectFrom('strategy').select('id').where('id', '=', strategyId).where('park_id', '=', scope.parkId),
    )
    .where('time_rule_id', 'not in', timeRuleIds)
    .execute()
  await db
    .insertInto('strategy_time_rule')
    .values(timeRuleIds.map((time_rule_id) => ({ strategy_id: strategyId, time_rule_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes members out of every strategy; answers the ids of those that named one. */
export async function removeMembers(scope: Scope, db: Db, kind: MemberKind, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length === 0) return []
  const rows = await db
    .deleteFrom('strategy_member')
    .where('park_id', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('member_id', 'in', memberIds)
    .returning('strategy_id as id')
    .execute()
  return [...new Set(rows.map((row) => row.id))]
}

/** @param version only at this one; left out: at any @returns whether it was there */
export async function deleteStrategy(scope: Scope, db: Db, id: string, version?: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('strategy')
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .$if(version !== undefined, (rows) => rows.where('version', '=', version!))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteStrategiesOfPark(scope: Scope, db: Db): Promise<{ strategies: number; timeRules: number }> {
  await db.deleteFrom('access_group').where('park_id', '=', scope.parkId).execute()
  const strategies = await db.deleteFrom('strategy').where('park_id', '=', scope.parkId).executeTakeFirst()
  const timeRules = await db.deleteFrom('time_rule').where('park_id', '=', scope.parkId).executeTakeFirst()
  return { strategies: Number(strategies.numDeletedRows), timeRules: Number(timeRules.numDeletedRows) }
}
