/** Strategies for visitors, which name the persons of visits one by one. */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { VisitorStrategies } from '../people/index.ts'
import { findStrategyIdsNaming } from './strategies-data.ts'
import { distinct } from './strategy-changes.ts'
import type { StrategyReach } from './strategy-reach.ts'
import { addMember, findVisitorStrategies, lockVisitorStrategies, removeMemberFrom } from './visitor-strategies-data.ts'

const unknown = () => new InvalidRequest([{ path: 'accessGroupIds', rule: 'unknown' }])

export function createVisitorStrategies(
  { db }: Pick<Platform, 'db'>,
  { reachChanged }: Pick<StrategyReach, 'reachChanged'>,
): VisitorStrategies {
  /** @param find returns those of these ids that are of strategies for visitors */
  async function assertFound(find: typeof findVisitorStrategies, scope: Scope, from: Database, ids: readonly string[]): Promise<void> {
    if (!ids.every(isUuid) || (await find(scope, from, ids)).length < ids.length) throw unknown()
  }

  return {
    assert: (scope, strategyIds) => assertFound(findVisitorStrategies, scope, db, distinct(strategyIds)),
    async name(tx, scope, personId, strategyIds) {
      const after = distinct(strategyIds)
      // Locked, so that none is deleted or made one for staff while it takes the person.
      await assertFound(lockVisitorStrategies, scope, tx, after)
      const before = await findStrategyIdsNaming(scope, tx, [{ kind: 'person', ids: [personId] }])
      const added = after.filter((id) => !before.includes(id))
      const removed = before.filter((id) => !after.includes(id))
      await addMember(scope, tx, personId, added)
      await removeMemberFrom(scope, tx, personId, removed)
      if (added.length + removed.length > 0) await reachChanged(tx, scope, distinct([...added, ...removed]))
    },
  }
}
