/** Rows of associated rules, which are strategies about persons of a linked park; every function takes the scope first. */
import { containing, oneOf, sql, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StrategyTables, MemberKind } from './schema.ts'

type Db = Database<StrategyTables>

/** Nobody need be asked about a rule that names whom it is about, or that is about visitors, who are never named. */
const confirmed = sql<boolean>`(everybody_confirmed OR NOT everybody OR strategy.kind = 'visitor')`
const columns = [
  'strategy_id as id',
  'relation_id as relationId',
  'linked_park as linkedPark',
  'everybody',
  confirmed.as('everybodyConfirmed'),
  'strategy.kind',
] as const

/** Whose persons a rule is about. */
export interface AboutRow {
  id: string
  relationId: string
  linkedPark: string
  everybody: boolean
  everybodyConfirmed: boolean
  kind: string
}

const rules = (scope: Scope, db: Db) =>
  db
    .selectFrom('associated_rule')
    .innerJoin('strategy', 'strategy.id', 'associated_rule.strategy_id')
    .where('associated_rule.park_id', '=', scope.parkId)

/** Those of these strategies that are associated rules. */
export function findAbout(scope: Scope, db: Db, ids: readonly string[]): Promise<AboutRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return rules(scope, db).select(columns).where('strategy_id', '=', oneOf(ids)).execute()
}

export interface AssociatedRuleQuery {
  name?: string | undefined
  kind?: string | undefined
  parkId?: string | undefined
  everybodyConfirmed?: boolean | undefined
}

export function listAssociatedRules(scope: Scope, db: Db, query: AssociatedRuleQuery, paging: { page: number; size: number }) {
  let rows = rules(scope, db)
  if (query.name !== undefined && query.name !== '') rows = rows.where('strategy.name', 'ilike', containing(query.name))
  if (query.kind !== undefined) rows = rows.where('strategy.kind', '=', query.kind)
  if (query.parkId !== undefined) rows = rows.where('linked_park', '=', query.parkId)
  if (query.everybodyConfirmed !== undefined) rows = rows.where(confirmed, '=', query.everybodyConfirmed)
  return readPage(rows.select(columns).orderBy('strategy.created_at', 'desc').orderBy('strategy.id', 'desc'), paging)
}

/** Makes a strategy an associated rule, or says anew whom it is about: everybody only where that was asked for, and confirmed unless nobody has said so yet. */
export async function saveAbout(
  scope: Scope,
  db: Db,
  { id, relationId, linkedPark, everybody, everybodyConfirmed }: Omit<AboutRow, 'kind'>,
): Promise<void> {
  const about = { relation_id: relationId, linked_park: linkedPark, everybody, everybody_confirmed: everybodyConfirmed }
  await db
    .insertInto('associated_rule')
    .values({ strategy_id: id, park_id: scope.parkId, ...about })
    .onConflict((conflict) => conflict.column('strategy_id').doUpdateSet(about))
    .execute()
}

/** Notes that a rule about everybody means everybody; false where that was known. */
export async function confirmEverybody(scope: Scope, db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable('associated_rule')
    .set({ everybody_confirmed: true })
    .where('park_id', '=', scope.parkId)
    .where('strategy_id', '=', id)
    .where('everybody_confirmed', '=', false)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Rules of these links. */
export async function findRulesOfLinks(scope: Scope, db: Db, relationIds: readonly string[]): Promise<string[]> {
  if (relationIds.length === 0) return []
  return (await rules(scope, db).select('strategy_id as id').where('relation_id', '=', oneOf(relationIds)).execute()).map(({ id }) => id)
}

/** Takes persons or groups of the park of the scope out of the rules of other parks; answers the rules that named one, with their parks. */
export async function removeGuests(
  scope: Scope,
  db: Db,
  kind: MemberKind,
  memberIds: readonly string[],
): Promise<{ id: string; parkId: string }[]> {
  if (memberIds.length === 0) return []
  const { rows } = await sql<{ id: string; parkId: string }>`WITH gone AS (
      DELETE FROM strategy_member USING associated_rule
      WHERE associated_rule.strategy_id = strategy_member.strategy_id AND linked_park = ${scope.parkId}::uuid AND kind = ${kind} AND member_id = ${oneOf(memberIds)}
      RETURNING strategy_member.strategy_id AS id, strategy_member.park_id AS "parkId")
    SELECT DISTINCT id, "parkId" FROM gone ORDER BY id`.execute(db)
  return rows
}

/** Rules about persons of the park of the scope, which is going. */
export function deleteRulesAbout(scope: Scope, db: Db): Promise<{ id: string; parkId: string }[]> {
  return db
    .deleteFrom('strategy')
    .where('id', 'in', (eb) => eb.selectFrom('associated_rule').select('strategy_id').where('linked_park', '=', scope.parkId))
    .returning(['id', 'park_id as parkId'])
    .execute()
}
