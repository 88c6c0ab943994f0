/** Handlers of the calls on associated rules. */
import { associatedRuleCalls as calls } from '@gatehouse/contract/strategies/associated-rules'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AssociatedRules } from './associated-rules-types.ts'

export const associatedHandlers = (rules: AssociatedRules): MountedCall[] => [
  handler(calls.list, ({ scope, body }) => rules.list(scope, body)),
  handler(calls.relatedParks, ({ scope }) => rules.relatedParks(scope)),
  handler(calls.persons, ({ scope, query }) => rules.persons(scope, query)),
  handler(calls.read, ({ scope, query }) => rules.read(scope, query.id)),
  handler(calls.confirmEverybody, async ({ scope, params }) => {
    await rules.confirmEverybody(scope, params.id)
    return { id: params.id }
  }),
  handler(calls.delete, async ({ scope, query }) => {
    await rules.delete(scope, query.id)
    return { id: query.id }
  }),
]
