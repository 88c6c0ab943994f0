/** Conversion of what a form would save into the change of the world; nothing is written. */
import type { ChangeDraft } from '@gatehouse/contract/approvals/written-rules'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import {
  changedStrategy,
  changedTimeRule,
  decidingOf,
  namedBy,
  NEW_ID,
  valuesIn,
  type AssociatedRules,
  type WorldChange,
} from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'

/** Return the change that a draft makes. @throws InvalidRequest, Refusal as saving it would, for what its fields alone show */
export type DraftChange = (scope: Scope, draft: ChangeDraft) => Promise<WorldChange>

export function createDraftChange(
  platform: Platform,
  { organisation, reading }: Pick<ApprovalDependencies, 'organisation' | 'reading'>,
  associatedRules: Pick<AssociatedRules, 'drafted'>,
): DraftChange {
  const findRow = async <Row>(
    scope: Scope,
    id: string,
    find: (scope: Scope, ids: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<Row | undefined> => (isUuid(id) ? (await find(scope, [id]))[0] : undefined)

  return async (scope, { strategy, timeRule, accessGroup, associatedRule }) => {
    if ([strategy, timeRule, accessGroup, associatedRule].filter((one) => one !== undefined).length !== 1)
      throw new InvalidRequest([{ path: 'strategy', rule: 'required' }])
    if (strategy !== undefined) {
      const { id = NEW_ID, deleted } = strategy
      const row = id === NEW_ID ? null : ((await findRow(scope, id, reading.findStrategies)) ?? refuse(300101))
      const stored = row === null ? null : await reading.storedStrategy(scope, row)
      // A deleted strategy lets nobody pass.
      if (deleted && stored !== null) return { of: 'strategy', id, fields: namedBy({ ...decidingOf(stored), timeRuleIds: [] }) }
      const requestTime = { now: platform.clock.now(), zone: organisation.park(scope).zone }
      return { of: 'strategy', id, fields: namedBy(decidingOf(changedStrategy(strategy, stored, requestTime))) }
    }
    if (associatedRule !== undefined)
      return {
        of: 'strategy',
        id: associatedRule.id ?? NEW_ID,
        fields: await associatedRules.drafted(scope, associatedRule.id, associatedRule),
      }
    if (timeRule !== undefined) {
      const row = (await findRow(scope, timeRule.id, reading.findTimeRules)) ?? refuse(300001)
      return { of: 'timeRule', id: timeRule.id, fields: changedTimeRule(timeRule, valuesIn(row)) }
    }
    const row = (await findRow(scope, accessGroup!.id, reading.findAccessGroups)) ?? refuse(300101)
    return { of: 'accessGroup', id: accessGroup!.id, fields: (await reading.changedAccessGroup(scope, row, accessGroup!)).after }
  }
}
