/** Rows of time rules; every function takes the scope first. */
import type { Period } from '@gatehouse/access-rules'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'

const ruleColumns = columnList([
  'id',
  'name',
  'periods',
  'allowedDates as allowedExceptionDates',
  'forbiddenDates as forbiddenExceptionDates',
  'effectiveDate',
  'isDefault',
  'version',
  'updatedAt',
])

/** Rules with how many strategies use each. */
const withUses = (db: Database) =>
  db
    .selectFrom('timeRule')
    .select(ruleColumns)
    .select(sql<number>`(SELECT count(*) FROM strategy_time_rule WHERE time_rule_id = time_rule.id)`.as('strategyCount'))

export async function listTimeRules(scope: Scope, db: Database, query: { name?: string | undefined; page: number; size: number }) {
  let rows = withUses(db).where('parkId', '=', scope.parkId)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  return readPage(rows.orderBy('isDefault', 'desc').orderBy('createdAt', 'desc').orderBy('id', 'desc'), query)
}
export type TimeRuleRow = Awaited<ReturnType<typeof listTimeRules>>['content'][number]

/** The named rules of this park, in the order of their ids. */
export function findTimeRules(scope: Scope, db: Database, ids: readonly string[]): Promise<TimeRuleRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withUses(db).where('parkId', '=', scope.parkId).where('id', 'in', ids).orderBy('id').execute()
}

export function nameTimeRules(scope: Scope, db: Database): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('timeRule')
    .select(['id', 'name'])
    .where('parkId', '=', scope.parkId)
    .orderBy('isDefault', 'desc')
    .orderBy('name')
    .execute()
}

/** The rules as no other transaction changes or deletes them until this one ends; `share` lets others use them too. */
export function lockTimeRules(
  scope: Scope,
  db: Database,
  ids: readonly string[],
  strength: 'update' | 'share',
): Promise<{ id: string; isDefault: boolean }[]> {
  if (ids.length === 0) return Promise.resolve([])
  const rows = db.selectFrom('timeRule').select(['id', 'isDefault']).where('parkId', '=', scope.parkId).where('id', 'in', ids).orderBy('id')
  return (strength === 'update' ? rows.forUpdate() : rows.forKeyShare()).execute()
}

/** Rules that some strategy combines with this one. */
export function findRulesCombinedWith(scope: Scope, db: Database, id: string): Promise<TimeRuleRow[]> {
  return withUses(db)
    .where('parkId', '=', scope.parkId)
    .where('id', '!=', id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('strategyTimeRule as other')
        .innerJoin('strategyTimeRule as own', 'own.strategyId', 'other.strategyId')
        .select('other.timeRuleId')
        .where('own.timeRuleId', '=', id),
    )
    .orderBy('name')
    .execute()
}

/** Until the transaction ends, no other combines time rules of the park or changes their exception dates. */
export async function lockExceptionDates(scope: Scope, tx: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`exception dates ${scope.parkId}`}, 0))`.execute(tx)
}

/** How many strategies use any of these rules. */
export async function countTimeRuleUses(scope: Scope, db: Database, ids: readonly string[]): Promise<number> {
  const { uses } = await db
    .selectFrom('strategyTimeRule')
    .innerJoin('strategy', 'strategy.id', 'strategyTimeRule.strategyId')
    .select((eb) => eb.fn.countAll<number>().as('uses'))
    .where('strategy.parkId', '=', scope.parkId)
    .where('timeRuleId', 'in', ids)
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
  allowedDates: values.allowedExceptionDates,
  forbiddenDates: values.forbiddenExceptionDates,
  effectiveDate: values.effectiveDate,
})

export async function insertTimeRule(scope: Scope, db: Database, id: string, values: TimeRuleValues, now: number): Promise<void> {
  await db
    .insertInto('timeRule')
    .values({
      id,
      parkId: scope.parkId,
      ...columnsOf(values),
      isDefault: false,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Makes the park's default rule; nothing happens where there is one, or another rule has its name. */
export async function insertDefaultTimeRule(scope: Scope, db: Database, id: string, values: TimeRuleValues, now: number): Promise<void> {
  await db
    .insertInto('timeRule')
    .values({
      id,
      parkId: scope.parkId,
      ...columnsOf(values),
      isDefault: true,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Id of the rule that the park has by default; undefined where it has none yet. */
export async function findDefaultTimeRule(scope: Scope, db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('timeRule')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('isDefault', '=', true)
    .executeTakeFirst()
  return row?.id
}

/** False where the rule is not at `version` any more. */
export function updateTimeRule(
  scope: Scope,
  db: Database,
  id: string,
  values: TimeRuleValues,
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'timeRule', { id, version }, columnsOf(values), now)
}

export async function deleteTimeRules(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('timeRule').where('parkId', '=', scope.parkId).where('id', 'in', ids).execute()
}
