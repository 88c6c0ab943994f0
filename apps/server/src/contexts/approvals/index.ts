/** Written rules, which no change of permissions may break, and changes that wait for a second person because of one. */
import { defineContext, type Context } from '../../platform/context.ts'
import { extend } from '../../platform/extension-points.ts'
import { deviceGuard, devicesContext } from '../devices/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext, personGuard } from '../people/index.ts'
import { relationsContext } from '../relations/index.ts'
import { passageGuard, strategiesContext } from '../strategies/index.ts'
import { synchronisationContext } from '../synchronisation/index.ts'
import { approvalHandlers } from './calls.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { createPendingChanges, type PendingChangeService } from './pending-changes.ts'
import { createPermits } from './permits.ts'
import { deleteWrittenRulesOfPark } from './written-rules-data.ts'
import { createDraftChange } from './written-rules-drafts.ts'
import { createPassageGuard, type PassageGuard } from './written-rules-guard.ts'
import { writtenRuleMigrations } from './written-rules-schema.ts'
import { createWrittenRules } from './written-rules.ts'

export { assertPermittable } from './permits.ts'
export type { PassageGuard } from './written-rules-guard.ts'
export { changedWorld, readWorld, resolved } from './written-rules-world.ts'

export interface ApprovalsContext extends Context {
  guard: PassageGuard
  pendingChanges: PendingChangeService
}

export const approvalsContext = defineContext({
  name: 'approvals',
  uses: {
    organisation: organisationContext,
    people: peopleContext,
    devices: devicesContext,
    relations: relationsContext,
    strategies: strategiesContext,
    // The world of written rules is the one of the register.
    synchronisation: synchronisationContext,
  },
  create(platform, { organisation, people, devices, relations, strategies: below }): ApprovalsContext {
    const needs: ApprovalDependencies = {
      people: people.service,
      groups: people.groups,
      devices: devices.service,
      organisation: organisation.service,
      sharing: relations.sharing,
      reading: below.reading,
    }
    const { strategies, timeRules, accessGroups, associatedRules } = below
    const guard = createPassageGuard(platform, needs)
    const writtenRules = createWrittenRules(platform, needs, guard, createDraftChange(platform, needs, associatedRules))
    const pendingChanges = createPendingChanges(platform, { strategies, timeRules, accessGroups, associatedRules, writtenRules })
    const permits = createPermits(platform, needs, { strategies, accessGroups, timeRules, pendingChanges })
    return {
      guard,
      pendingChanges,
      calls: approvalHandlers({ writtenRules, pendingChanges, permits }),
      migrations: writtenRuleMigrations,
      jobs: [
        {
          name: 'access.pendingChangesUpkeep',
          schedule: '41 3 * * *',
          async run() {
            await pendingChanges.upkeep()
            return { outcome: 'success' }
          },
        },
      ],
      async erasePark(tx, scope) {
        await deleteWrittenRulesOfPark(scope, tx)
        return {}
      },
      extensions: [
        extend(passageGuard, guard),
        extend(personGuard, {
          persons: (scope, persons, field, work) =>
            guard.during(scope, async (within) => ({ of: 'persons', persons: await persons(within) }), work, { field }),
          group: (scope, id, parentId, work) =>
            guard.during(scope, async () => ({ of: 'personGroup', id, parentId }), work, { field: 'parentId' }),
        }),
        extend(deviceGuard, {
          devices: (scope, changed, field, work) =>
            guard.during(scope, async (within) => ({ of: 'devices', devices: await changed(within) }), work, { field }),
          group: (scope, id, parentId, work) =>
            guard.during(scope, async () => ({ of: 'deviceGroup', id, parentId }), work, { field: 'parentId' }),
        }),
      ],
    }
  },
})
