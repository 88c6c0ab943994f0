/** Associated rules that are deleted, and rules of other parks that lose persons, groups or the whole park they are about. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import * as data from './associated-rules-data.ts'
import type { AssociatedRules } from './associated-rules-types.ts'
import { existingRule } from './associated-stored.ts'
import type { StrategyService } from './strategies-types.ts'
import { deleteStrategy } from './strategies-data.ts'

export function createAssociatedRemoval(
  platform: Platform,
  strategies: Pick<StrategyService, 'reachChanged'>,
): Pick<AssociatedRules, 'delete' | 'forgetIn' | 'forget' | 'erasePark'> {
  const db = platform.db

  /** Announce to each park that the reach of its rules has changed. */
  async function announceReach(open: Transaction, rules: readonly { id: string; parkId: string }[]): Promise<void> {
    for (const [parkId, own] of Map.groupBy(rules, (rule) => rule.parkId))
      await strategies.reachChanged(
        open,
        { parkId },
        own.map(({ id }) => id),
      )
  }

  const forgetIn: AssociatedRules['forgetIn'] = async (open, scope, kind, memberIds) =>
    announceReach(open, await data.removeGuests(scope, open, kind, memberIds))

  return {
    async delete(scope, id) {
      const { row } = await existingRule(scope, db, id)
      await platform.transaction(async (tx) => {
        await deleteStrategy(scope, tx, id)
        platform.audit.note({ entity: 'associatedRule', id, label: row.name, before: { name: row.name, kind: row.kind } })
        await strategies.reachChanged(tx, scope, [id])
      })
    },
    forgetIn,
    forget: (scope, kind, memberIds) => platform.transaction((tx) => forgetIn(tx, scope, kind, memberIds)),
    erasePark: async (open, scope) => announceReach(open, await data.deleteRulesAbout(scope, open)),
  }
}
