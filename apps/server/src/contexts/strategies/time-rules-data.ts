/** Rows of time rules; every function takes the scope first. */
import type { Period } from '@gatehouse/access-rules'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { StrategyTables } from './schema.ts'

type Db = Database<StrategyTables>

const ruleColumns = columnList([
  'id',
  'name',
  'periods',
  'allowed_dates as allowedExceptionDates',
  'forbidden_dates as forbiddenExceptionDates',
  'effective_date as effectiveDate',
  'is_default as isDefault',
  'version',
  'updated_at as updatedAt',
])

/** Rules with how many strategies use each. */
const withUses = (db: Db) =>
  db
    .selectFrom('time_rule')
    .select(ruleColumns)
    .select(sql<number>`(SELECT count(*) FROM strategy_time_rule WHERE time_rule_id = time_rule.id)`.as('strategyCount'))

export async function listTimeRules(scope: Scope, db: Db, query: { name?: string | undefined; page: number; size: number }) {
  let rows = withUses(db).where('park_id', '=', scope.parkId)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  return readPage(rows.orderBy('is_default', 'desc').orderBy('created_at', 'desc').orderBy('id', 'desc'), query)
}
export type TimeRuleRow = Awaited<ReturnType<typeof listTimeRules>>['content'][number]

/** The named rules of this park, in the order of their ids. */
export function findTimeRules(scope: Scope, db: Db, ids: readonly string[]): Promise<TimeRuleRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withUses(db).where('park_id', '=', scope.parkId).where('id', 'in', ids).orderBy('id').execute()
}

export function nameTimeRules(scope: Scope, db: Db): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('time_rule')
    .select(['id', 'name'])
    .where('park_id', '=', scope.parkId)
    .orderBy('is_default', 'desc')
    .orderBy('name')
    .execute()
}

/** The rules as no other transaction changes or deletes them until this one ends; `share` lets others use them too. */
export function lockTimeRules(
  scope: Scope,
  db: Db,
  ids: readonly string[],
  strength: 'update' | 'share',
): Promise<{ id: string; isDefault: boolean }[]> {
  if (ids.length === 0) return Promise.resolve([])
  const rows = db
    .selectFrom('time_rule')
    .select(['id', 'is_default as isDefault'])
    .where('park_id', '=', scope.parkId)
    .where('id', 'in', ids)
    .orderBy('id')
  return (strength === 'update' ? rows.forUpdate() : rows.forKeyShare()).execute()
}

/** Rules that some strategy combines with this one. */
export function findRulesCombinedWith(scope: Scope, db: Db, id: string): Promise<TimeRuleRow[]> {
  return withUses(db)
    .where('park_id', '=', scope.parkId)
    .where('id', '!=', id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('strategy_time_rule as other')
        .innerJoin('strategy_time_rule as own', 'own.strategy_id', 'other.strategy_id')
        .select('other.time_rule_id')
        .where('own.time_rule_id', '=', id),
    )
    .orderBy('name')
    .execute()
}

/** Until the transaction ends, no other combines time rules of the park or changes their exception dates. */
export async function lockExceptionDates(scope: Scope, tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`exception dates ${scope.parkId}`}, 0))`.execute(tx)
}

/** How many strategies use any of these rules. */
export async function countTimeRuleUses(scope: Scope, db: Db, ids: readonly string[]): Promise<number> {
  const { uses } = await db
    .selectFrom('strategy_time_rule')
    .innerJoin('strategy', 'strategy.id', 'strategy_time_rule.strategy_id')
    .select((eb) => eb.fn.countAll<number>().as('uses'))
    .where('strategy.park_id', '=', scope.parkId)
    .where('time_rule_id', 'in', ids)
    .executeTakeFirstOrThrow()
  return uses
}

export interface TimeRuleValues {
  name: string
  periods: Period[]
  allowedExceptionDates: string[]
  forbiddenExceptionDates: string[]
  effectiveDate: string | null
}

const columnsOf = (values: TimeRuleValues) => ({
  name: values.name,
  periods: JSON.stringify(values.periods),
  allowed_dates: values.allowedExceptionDates,
  forbidden_dates: values.forbiddenExceptionDates,
  effective_date: values.effectiveDate,
})

export async function insertTimeRule(scope: Scope, db: Db, id: string, values: TimeRuleValues, now: number): Promise<void> {
  await db
    .insertInto('time_rule')
    .values({
      id,
      park_id: scope.parkId,
      ...columnsOf(values),
      is_default: false,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Makes the park's default rule; nothing happens where there is one, or another rule has its name. */
export async function insertDefaultTimeRule(scope: Scope, db: Db, id: string, values: TimeRuleValues, now: number): Promise<void> {
  await db
    .insertInto('time_rule')
    .values({
      id,
      park_id: scope.parkId,
      ...columnsOf(values),
      is_default: true,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Id of the rule that the park has by default; undefined where it has none yet. */
export async function findDefaultTimeRule(scope: Scope, db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('time_rule')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('is_default', '=', true)
    .executeTakeFirst()
  return row?.id
}

/** False where the rule is not at `version` any more. */
export function updateTimeRule(scope: Scope, db: Db, id: string, values: TimeRuleValues, version: number, now: number): Promise<boolean> {
  return updateAtVersion(scope, db, 'time_rule', { id, version }, columnsOf(values), now)
}

export async function deleteTimeRules(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('time_rule').where('park_id', '=', scope.parkId).where('id', 'in', ids).execute()
}
