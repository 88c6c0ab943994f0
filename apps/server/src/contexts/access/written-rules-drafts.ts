/** From what a form would save to the change of the world it means; nothing is written. */
import { validateStrategy, validateTimeRule } from '@gatehouse/access-rules'
import type { ChangeDraft } from '@gatehouse/contract/access/written-rules'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import { InvalidRequest, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import { findAccessGroups } from './access-groups-data.ts'
import type { AssociatedRules } from './associated-rules.ts'
import { isUuid, refuseIssues } from './issues.ts'
import type { AccessTables } from './schema.ts'
import { findStrategies } from './strategies-data.ts'
import { findTimeRules } from './time-rules-data.ts'
import { namedBy, UNMADE, type WorldChange } from './admission.ts'

/** @throws InvalidRequest, Refusal as saving it would, as far as its fields by themselves are concerned */
export type DraftChange = (scope: Scope, draft: ChangeDraft) => Promise<WorldChange>

export function createDraftChange(platform: Platform, associatedRules: Pick<AssociatedRules, 'drafted'>): DraftChange {
  const db = platform.db as unknown as Database<AccessTables>
  const isKnown = async (
    scope: Scope,
    id: string,
    find: (scope: Scope, on: Database<AccessTables>, ids: readonly string[]) => Promise<readonly unknown[]>,
  ): Promise<boolean> => isUuid(id) && (await find(scope, db, [id])).length > 0

  return async (scope, { strategy, timeRule, accessGroup, associatedRule }) => {
    if ([strategy, timeRule, accessGroup, associatedRule].filter((one) => one !== undefined).length !== 1)
      throw new InvalidRequest([{ path: 'strategy', rule: 'required' }])
    if (strategy !== undefined) {
      const { id = UNMADE, deleted } = strategy
      if (id !== UNMADE && !(await isKnown(scope, id, findStrategies))) refuse(300101)
      if (!deleted) refuseIssues(validateStrategy(strategy))
      // One that is deleted lets nobody pass.
      return { of: 'strategy', id, fields: namedBy(deleted ? { ...strategy, timeRuleIds: [] } : strategy) }
    }
    if (associatedRule !== undefined)
      return {
        of: 'strategy',
        id: associatedRule.id ?? UNMADE,
        fields: await associatedRules.drafted(scope, associatedRule.id, associatedRule),
      }
    if (timeRule !== undefined) {
      if (!(await isKnown(scope, timeRule.id, findTimeRules))) refuse(300001)
      refuseIssues(validateTimeRule(timeRule))
      return { of: 'timeRule', id: timeRule.id, fields: { ...timeRule, effectiveDate: timeRule.effectiveDate ?? null } }
    }
    if (!(await isKnown(scope, accessGroup!.id, findAccessGroups))) refuse(300101)
    return { of: 'accessGroup', id: accessGroup!.id, fields: accessGroup! }
  }
}
