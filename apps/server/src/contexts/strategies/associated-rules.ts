/**
 * Associated rules: strategies of this park about persons of a linked park. They are kept as strategies, so that doors,
 * time rules, history and terminals treat them as such.
 */
import type { Platform } from '../../platform/context.ts'
import { createAssociatedChoices } from './associated-choices.ts'
import { createAssociatedMembers } from './associated-members.ts'
import { createAssociatedQueries } from './associated-queries.ts'
import { createAssociatedRemoval } from './associated-removal.ts'
import * as data from './associated-rules-data.ts'
import { createAssociatedSaving } from './associated-saving.ts'
import { existingRule } from './associated-stored.ts'
import type { Guarding } from './changes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { createSharedPersons } from './shared-persons.ts'
import type { StrategyService } from './strategies-types.ts'
import type { AssociatedRules } from './associated-rules-types.ts'

type Needs = Pick<StrategyDependencies, 'people' | 'groups' | 'devices' | 'organisation' | 'sharing'>

export function createAssociatedRules(
  platform: Platform,
  needs: Needs,
  strategies: Pick<StrategyService, 'reachChanged'>,
  guard: Guarding,
): AssociatedRules {
  const db = platform.db
  const shared = createSharedPersons(needs)
  return {
    ...createAssociatedQueries(platform, needs, shared),
    ...createAssociatedChoices(needs, shared),
    ...createAssociatedSaving(platform, needs, { shared, members: createAssociatedMembers(needs, shared) }, strategies, guard),
    ...createAssociatedRemoval(platform, strategies),
    async confirmEverybody(scope, id) {
      const { row } = await existingRule(scope, db, id)
      await platform.transaction(async (tx) => {
        if (!(await data.confirmEverybody(scope, tx, id))) return
        platform.audit.note({
          entity: 'associatedRule',
          id,
          label: row.name,
          before: { everybodyConfirmed: false },
          after: { everybodyConfirmed: true },
        })
      })
    },
    linkedPark: async (scope, id) => (await existingRule(scope, db, id)).about.linkedPark,
    idsOf: (scope, relationIds) => data.findRulesOfLinks(scope, db, relationIds),
  }
}
