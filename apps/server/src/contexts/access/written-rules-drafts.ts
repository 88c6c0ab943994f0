/** From what a form would save to the change of the world it means; nothing is written. */
import type { ChangeDraft } from '@gatehouse/contract/approvals/written-rules'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findAccessGroups } from './access-groups-data.ts'
import { changedAccessGroup } from './access-groups.ts'
import type { AssociatedRules } from './associated-rules.ts'
import type { AccessDependencies } from './dependencies.ts'
import { isUuid } from './issues.ts'
import type { AccessTables } from './schema.ts'
import { findStrategies } from './strategies-data.ts'
import { changedStrategy, decidingOf, storedStrategy } from './strategy-changes.ts'
import { changedTimeRule, valuesIn } from './time-rules.ts'
import { findTimeRules } from './time-rules-data.ts'
import { namedBy, UNMADE, type WorldChange } from './admission.ts'

/** @throws InvalidRequest, Refusal as saving it would, as far as its fields by themselves are concerned */
export type DraftChange = (scope: Scope, draft: ChangeDraft) => Promise<WorldChange>

export function createDraftChange(
  platform: Platform,
  { organisation }: Pick<AccessDependencies, 'organisation'>,
  associatedRules: Pick<AssociatedRules, 'drafted'>,
): DraftChange {
  const db = platform.db as unknown as Database<AccessTables>
  const known = async <Row>(
    scope: Scope,
    id: string,
    find: (scope: Scope, on: Database<AccessTables>, ids: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<Row | undefined> => (isUuid(id) ? (await find(scope, db, [id]))[0] : undefined)

  return async (scope, { strategy, timeRule, accessGroup, associatedRule }) => {
    if ([strategy, timeRule, accessGroup, associatedRule].filter((one) => one !== undefined).length !== 1)
      throw new InvalidRequest([{ path: 'strategy', rule: 'required' }])
    if (strategy !== undefined) {
      const { id = UNMADE, deleted } = strategy
      const row = id === UNMADE ? null : ((await known(scope, id, findStrategies)) ?? refuse(300101))
      const stored = row === null ? null : await storedStrategy(scope, db, row)
      // One that is deleted lets nobody pass.
      if (deleted && stored !== null) return { of: 'strategy', id, fields: namedBy({ ...decidingOf(stored), timeRuleIds: [] }) }
      const said = { now: platform.clock.now(), zone: organisation.park(scope).zone }
      return { of: 'strategy', id, fields: namedBy(decidingOf(changedStrategy(strategy, stored, said))) }
    }
    if (associatedRule !== undefined)
      return {
        of: 'strategy',
        id: associatedRule.id ?? UNMADE,
        fields: await associatedRules.drafted(scope, associatedRule.id, associatedRule),
      }
    if (timeRule !== undefined) {
      const row = (await known(scope, timeRule.id, findTimeRules)) ?? refuse(300001)
      return { of: 'timeRule', id: timeRule.id, fields: changedTimeRule(timeRule, valuesIn(row)) }
    }
    const row = (await known(scope, accessGroup!.id, findAccessGroups)) ?? refuse(300101)
    return { of: 'accessGroup', id: accessGroup!.id, fields: (await changedAccessGroup(scope, db, row, accessGroup!)).after }
  }
}
