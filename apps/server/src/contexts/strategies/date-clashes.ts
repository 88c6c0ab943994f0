/**
 * Exception dates of the time rules that one strategy combines: what one opens no other may close. What is stored stays
 * until it is changed.
 */
import { validateCombination, validateDatesBeside, type TimeRule } from '@gatehouse/access-rules'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { refuseIssues } from './issues.ts'
import { distinct } from './strategy-changes.ts'
import { findRulesCombinedWith, findTimeRules, lockExceptionDates } from './time-rules-data.ts'

type Dates = Pick<TimeRule, 'allowedExceptionDates' | 'forbiddenExceptionDates'>

const areAlike = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify(distinct(some)) === JSON.stringify(distinct(others))

/**
 * Refuse time rules of a strategy that contradict each other, unless it combines the same rules already. In a transaction no exception
 * dates are changed until it ends.
 * @param sent the rules as the request has them, absent where it leaves them out
 * @param combined the rules the strategy has
 * @throws InvalidRequest
 */
export async function assertRulesAgree(
  scope: Scope,
  db: Database,
  sent: readonly string[] | undefined,
  combined: readonly string[] = [],
): Promise<void> {
  const ids = (sent ?? []).map((id) => id.toLowerCase())
  if (ids.length < 2 || areAlike(ids, combined)) return
  if (db.isTransaction) await lockExceptionDates(scope, db)
  const rules = new Map((await findTimeRules(scope, db, distinct(ids.filter(isUuid)))).map((rule) => [rule.id, rule]))
  // Those that do not exist are refused where they are locked.
  if (ids.every((id) => rules.has(id))) refuseIssues(validateCombination(ids.map((id) => rules.get(id)!)))
}

/**
 * Refuse exception dates of a time rule that contradict another rule of a strategy that uses it, unless it has the same dates already. In a
 * transaction nothing else combines rules or changes dates until it ends.
 * @throws InvalidRequest
 */
export async function assertDatesAgree(
  scope: Scope,
  db: Database,
  { id, ...rule }: Dates & { id: string; name: string },
  before: Dates,
): Promise<void> {
  const fields = ['allowedExceptionDates', 'forbiddenExceptionDates'] as const
  if (fields.every((field) => rule[field].length === 0 || areAlike(rule[field], before[field]))) return
  if (db.isTransaction) await lockExceptionDates(scope, db)
  refuseIssues(validateDatesBeside(rule, await findRulesCombinedWith(scope, db, id)))
}
