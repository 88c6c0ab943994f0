/** Rows of strategies, what they name, and the rules they follow; every function takes the scope first. */
import type { authorisedObject, ValueOf } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { MemberKind } from './schema.ts'

const strategyColumns = columnList([
  'id',
  'name',
  'kind',
  'methods',
  'isDefault',
  'authorisedObject as authorizedObject',
  'validFrom',
  'validTo',
  'version',
  'updatedAt',
])

export interface StrategyQuery {
  name?: string | undefined
  kind?: string | undefined
}

/** Strategies about the park's own persons: those about persons of linked parks have lists of their own. */
export const ownStrategies = (scope: Scope, db: Database) =>
  db
    .selectFrom('strategy')
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('associatedRule').select('strategyId').whereRef('strategyId', '=', 'strategy.id'))))

export async function listStrategies(scope: Scope, db: Database, query: StrategyQuery, page: number, size: number) {
  let rows = ownStrategies(scope, db)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  return readPage(rows.select(strategyColumns).orderBy('createdAt', 'desc').orderBy('id', 'desc'), { page, size })
}
export type StrategyRow = Awaited<ReturnType<typeof listStrategies>>['content'][number]

/** The named strategies of this park, in the order of their ids. */
export function findStrategies(scope: Scope, db: Database, ids: readonly string[]): Promise<StrategyRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('strategy').select(strategyColumns).where('parkId', '=', scope.parkId).where('id', 'in', ids).orderBy('id').execute()
}

/** Strategies of the park's own persons whose name holds a text, and those of these ids; direct ones only where named. */
export function findStrategyChoices(
  scope: Scope,
  db: Database,
  { text, ids, limit }: { text: string; ids: readonly string[]; limit: number },
): Promise<{ id: string; name: string }[]> {
  return ownStrategies(scope, db)
    .select(['id', 'name'])
    .where((eb) =>
      eb.or([
        eb.and([eb('name', 'ilike', containing(text)), eb('kind', '=', 'staff'), eb('directAt', 'is', null)]),
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
export async function findDirectStrategies(scope: Scope, db: Database, targetIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('strategy')
    .select(['id', 'directAt'])
    .where('parkId', '=', scope.parkId)
    .where('directAt', '=', oneOf(targetIds))
    .execute()
  return new Map(rows.map(({ id, directAt }) => [directAt!, id]))
}

/** Make a strategy an ordinary one unless it still permits at this door or access group alone. */
export async function keepDirectAt(scope: Scope, db: Database, id: string, targetId: string | null): Promise<void> {
  await sql`UPDATE strategy SET direct_at = NULL WHERE id = ${id} AND park_id = ${scope.parkId}
    AND direct_at IS DISTINCT FROM ${targetId}::uuid AND direct_at IS NOT NULL`.execute(db)
}

/** Those of these names, lower case, that a strategy has already. */
export async function findTakenNames(scope: Scope, db: Database, names: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ name: string }>`SELECT lower(name) AS name FROM strategy
    WHERE park_id = ${scope.parkId} AND lower(name) = ANY(${sql.val(names)}::text[])`.execute(db)
  return new Set(rows.rows.map(({ name }) => name))
}

/** @param kind absent: of both kinds */
export function nameStrategies(scope: Scope, db: Database, kind?: string): Promise<{ id: string; name: string }[]> {
  return ownStrategies(scope, db)
    .select(['id', 'name'])
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind!))
    .orderBy('name')
    .execute()
}

/** Ids of all strategies, associated rules among them. */
export async function findStrategyIds(scope: Scope, db: Database): Promise<string[]> {
  return (await db.selectFrom('strategy').select('id').where('parkId', '=', scope.parkId).orderBy('name').execute()).map(({ id }) => id)
}

/** Ids named by each strategy, one row per strategy and kind. */
export function findMembers(
  scope: Scope,
  db: Database,
  strategyIds: readonly string[],
): Promise<{ strategyId: string; kind: MemberKind; memberIds: string[] }[]> {
  if (strategyIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategyMember')
    .select(['strategyId', 'kind'])
    .select(sql<string[]>`array_agg(member_id ORDER BY member_id)`.as('memberIds'))
    .where('parkId', '=', scope.parkId)
    .where('strategyId', 'in', strategyIds)
    .groupBy(['strategyId', 'kind'])
    .execute()
}

/** Rules of each strategy, with their names. */
export function findRulesOf(
  scope: Scope,
  db: Database,
  strategyIds: readonly string[],
): Promise<{ strategyId: string; id: string; name: string }[]> {
  if (strategyIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategyTimeRule')
    .innerJoin('timeRule', 'timeRule.id', 'strategyTimeRule.timeRuleId')
    .select(['strategyId', 'timeRule.id', 'timeRule.name'])
    .where('timeRule.parkId', '=', scope.parkId)
    .where('strategyId', 'in', strategyIds)
    .orderBy('timeRule.name')
    .execute()
}

/** Which strategies follow each of these rules. */
export function findStrategyIdsFollowing(
  scope: Scope,
  db: Database,
  ruleIds: readonly string[],
): Promise<{ strategyId: string; ruleId: string }[]> {
  if (ruleIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('strategyTimeRule')
    .innerJoin('timeRule', 'timeRule.id', 'strategyTimeRule.timeRuleId')
    .select(['strategyId', 'timeRule.id as ruleId'])
    .where('timeRule.parkId', '=', scope.parkId)
    .where('timeRule.id', 'in', ruleIds)
    .execute()
}

/** Ids of the strategies that name one of these, in order. */
export async function findStrategyIdsNaming(
  scope: Scope,
  db: Database,
  named: readonly { kind: MemberKind; ids: readonly string[] }[],
): Promise<string[]> {
  const some = named.filter(({ ids }) => ids.length > 0)
  if (some.length === 0) return []
  const rows = await db
    .selectFrom('strategyMember')
    .select('strategyId as id')
    .distinct()
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or(some.map(({ kind, ids }) => eb.and([eb('kind', '=', kind), eb('memberId', 'in', ids)]))))
    .orderBy('strategyId')
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
  authorisedObject: values.authorizedObject,
  methods: values.methods,
  validFrom: values.validFrom === null ? null : timestamp(values.validFrom),
  validTo: values.validTo === null ? null : timestamp(values.validTo),
  ...(values.isDefault !== undefined && { isDefault: values.isDefault }),
})

/** @param directAt the door or access group at which it permits persons directly; null: an ordinary strategy */
export async function insertStrategy(
  scope: Scope,
  db: Database,
  { id, directAt }: { id: string; directAt: string | null },
  values: StrategyValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('strategy')
    .values({
      id,
      parkId: scope.parkId,
      isDefault: false,
      ...columnsOf(values),
      directAt,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** False where the strategy is not at `version` any more. */
export function updateStrategy(
  scope: Scope,
  db: Database,
  id: string,
  values: StrategyValues,
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'strategy', { id, version }, columnsOf(values), now)
}

/** Makes room for another default of a park and kind: the one that was is so no longer, and stands at another version. */
export async function clearDefault(scope: Scope, db: Database, { id, kind }: { id: string; kind: string }, now: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`strategy default ${scope.parkId}`}, 0))`.execute(db)
  await db
    .updateTable('strategy')
    .set((eb) => ({ isDefault: false, updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('isDefault', '=', true)
    .where('id', '!=', id)
    .execute()
}

/** Make these the members of a strategy; those that stay are not written again. */
export async function replaceMembers(
  scope: Scope,
  db: Database,
  strategyId: string,
  members: readonly { kind: MemberKind; id: string }[],
): Promise<void> {
  const kinds = members.map((member) => member.kind)
  const ids = members.map((member) => member.id)
  const rows = sql`unnest(${sql.val(kinds)}::text[], ${sql.val(ids)}::uuid[]) AS member (kind, id)`
  await sql`DELETE FROM strategy_member WHERE strategy_id = ${strategyId} AND park_id = ${scope.parkId}
    AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE member.kind = strategy_member.kind AND member.id = strategy_member.member_id)`.execute(db)
  await sql`INSERT INTO strategy_member (strategy_id, park_id, kind, member_id)
    SELECT ${strategyId}::uuid, ${scope.parkId}::uuid, member.kind, member.id FROM ${rows} ON CONFLICT DO NOTHING`.execute(db)
}

/** Make these the rules of a strategy; the caller holds their locks. */
export async function replaceRules(scope: Scope, db: Database, strategyId: string, timeRuleIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('strategyTimeRule')
    .where('strategyId', 'in', (eb) =>
      eb.selectFrom('strategy').select('id').where('id', '=', strategyId).where('parkId', '=', scope.parkId),
    )
    .where('timeRuleId', 'not in', timeRuleIds)
    .execute()
  await db
    .insertInto('strategyTimeRule')
    .values(timeRuleIds.map((timeRuleId) => ({ strategyId, timeRuleId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes members out of every strategy; answers the ids of those that named one. */
export async function removeMembers(scope: Scope, db: Database, kind: MemberKind, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length === 0) return []
  const rows = await db
    .deleteFrom('strategyMember')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('memberId', 'in', memberIds)
    .returning('strategyId as id')
    .execute()
  return [...new Set(rows.map((row) => row.id))]
}

/** @param version only at this one; left out: at any @returns whether it was there */
export async function deleteStrategy(scope: Scope, db: Database, id: string, version?: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('strategy')
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .$if(version !== undefined, (rows) => rows.where('version', '=', version!))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteStrategiesOfPark(scope: Scope, db: Database): Promise<{ strategies: number; timeRules: number }> {
  await db.deleteFrom('accessGroup').where('parkId', '=', scope.parkId).execute()
  const strategies = await db.deleteFrom('strategy').where('parkId', '=', scope.parkId).executeTakeFirst()
  const timeRules = await db.deleteFrom('timeRule').where('parkId', '=', scope.parkId).executeTakeFirst()
  return { strategies: Number(strategies.numDeletedRows), timeRules: Number(timeRules.numDeletedRows) }
}
