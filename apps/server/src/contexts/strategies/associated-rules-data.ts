/** Rows of associated rules, which are strategies about persons of a linked park; every function takes the scope first. */
import { containing, oneOf, sql, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { MemberKind } from './schema.ts'

/** A rule that names persons, or is about visitors, who are never named, needs no confirmation. */
const confirmed = sql<boolean>`(everybody_confirmed OR NOT everybody OR strategy.kind = 'visitor')`
const columns = ['strategyId as id', 'relationId', 'linkedPark', 'everybody', confirmed.as('everybodyConfirmed'), 'strategy.kind'] as const

/** Whose persons a rule is about. */
export interface AboutRow {
  id: string
  relationId: string
  linkedPark: string
  everybody: boolean
  everybodyConfirmed: boolean
  kind: string
}

const rules = (scope: Scope, db: Database) =>
  db
    .selectFrom('associatedRule')
    .innerJoin('strategy', 'strategy.id', 'associatedRule.strategyId')
    .where('associatedRule.parkId', '=', scope.parkId)

/** Those of these strategies that are associated rules. */
export function findAbout(scope: Scope, db: Database, ids: readonly string[]): Promise<AboutRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return rules(scope, db).select(columns).where('strategyId', '=', oneOf(ids)).execute()
}

export interface AssociatedRuleQuery {
  name?: string | undefined
  kind?: string | undefined
  parkId?: string | undefined
  everybodyConfirmed?: boolean | undefined
}

export function listAssociatedRules(scope: Scope, db: Database, query: AssociatedRuleQuery, paging: { page: number; size: number }) {
  let rows = rules(scope, db)
  if (query.name !== undefined && query.name !== '') rows = rows.where('strategy.name', 'ilike', containing(query.name))
  if (query.kind !== undefined) rows = rows.where('strategy.kind', '=', query.kind)
  if (query.parkId !== undefined) rows = rows.where('linkedPark', '=', query.parkId)
  if (query.everybodyConfirmed !== undefined) rows = rows.where(confirmed, '=', query.everybodyConfirmed)
  return readPage(rows.select(columns).orderBy('strategy.createdAt', 'desc').orderBy('strategy.id', 'desc'), paging)
}

/**
 * Make a strategy an associated rule, or replace what it is about.
 */
export async function saveAbout(
  scope: Scope,
  db: Database,
  { id, relationId, linkedPark, everybody, everybodyConfirmed }: Omit<AboutRow, 'kind'>,
): Promise<void> {
  const about = { relationId, linkedPark, everybody, everybodyConfirmed }
  await db
    .insertInto('associatedRule')
    .values({ strategyId: id, parkId: scope.parkId, ...about })
    .onConflict((conflict) => conflict.column('strategyId').doUpdateSet(about))
    .execute()
}

/** Note that a rule about everybody is confirmed; return false where it was already. */
export async function confirmEverybody(scope: Scope, db: Database, id: string): Promise<boolean> {
  const result = await db
    .updateTable('associatedRule')
    .set({ everybodyConfirmed: true })
    .where('parkId', '=', scope.parkId)
    .where('strategyId', '=', id)
    .where('everybodyConfirmed', '=', false)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Rules of these links. */
export async function findRulesOfLinks(scope: Scope, db: Database, relationIds: readonly string[]): Promise<string[]> {
  if (relationIds.length === 0) return []
  return (await rules(scope, db).select('strategyId as id').where('relationId', '=', oneOf(relationIds)).execute()).map(({ id }) => id)
}

/** Take persons or groups of the park of the scope out of the rules of other parks; return the rules that named one, with their parks. */
export async function removeGuests(
  scope: Scope,
  db: Database,
  kind: MemberKind,
  memberIds: readonly string[],
): Promise<{ id: string; parkId: string }[]> {
  if (memberIds.length === 0) return []
  const { rows } = await sql<{ id: string; parkId: string }>`WITH removed AS (
      DELETE FROM strategy_member USING associated_rule
      WHERE associated_rule.strategy_id = strategy_member.strategy_id AND linked_park = ${scope.parkId}::uuid
        AND kind = ${kind} AND member_id = ${oneOf(memberIds)}
      RETURNING strategy_member.strategy_id AS id, strategy_member.park_id AS "parkId")
    SELECT DISTINCT id, "parkId" FROM removed ORDER BY id`.execute(db)
  return rows
}

/** Delete rules about persons of the park of the scope; return them with their parks. */
export function deleteRulesAbout(scope: Scope, db: Database): Promise<{ id: string; parkId: string }[]> {
  return db
    .deleteFrom('strategy')
    .where('id', 'in', (eb) => eb.selectFrom('associatedRule').select('strategyId').where('linkedPark', '=', scope.parkId))
    .returning(['id', 'parkId'])
    .execute()
}
