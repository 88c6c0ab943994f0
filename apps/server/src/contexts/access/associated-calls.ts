/** Handlers of the calls on associated rules, and on how far their persons have reached devices. */
import { associatedRuleCalls as calls, associatedSyncCalls as sync } from '@gatehouse/contract/strategies/associated-rules'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AccessService } from './service.ts'

export function associatedHandlers({
  associatedRules: rules,
  pendingChanges,
  status,
  resend,
}: Pick<AccessService, 'associatedRules' | 'pendingChanges' | 'status' | 'resend'>): MountedCall[] {
  /** Answers about associated rules only: strategies have calls of their own. @throws Refusal 300101 */
  const about = async <Query extends { strategyId: string }>(scope: Scope, query: Query): Promise<Query & { from: string }> => ({
    ...query,
    from: await rules.linkedPark(scope, query.strategyId),
  })

  return [
    handler(calls.list, ({ scope, body }) => rules.list(scope, body)),
    handler(calls.relatedParks, ({ scope }) => rules.relatedParks(scope)),
    handler(calls.persons, ({ scope, query }) => rules.persons(scope, query)),
    handler(calls.read, ({ scope, query }) => rules.read(scope, query.id)),
    handler(calls.create, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'associatedRule.create', body) })),
    handler(calls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'associatedRule.change', body) })),
    handler(calls.confirmEverybody, async ({ scope, params }) => {
      await rules.confirmEverybody(scope, params.id)
      return { id: params.id }
    }),
    handler(calls.delete, async ({ scope, query }) => {
      await rules.delete(scope, query.id)
      return { id: query.id }
    }),
    handler(sync.persons, async ({ scope, query }) => status.persons(scope, await about(scope, query))),
    handler(sync.personsOfDevice, async ({ scope, query }) => status.personsOfDevice(scope, await about(scope, query))),
    handler(sync.devicesOfPerson, async ({ scope, query }) => status.devicesOfPerson(scope, await about(scope, query))),
    handler(sync.devices, async ({ scope, query }) => status.devices(scope, await about(scope, query))),
    handler(sync.counts, async ({ scope, query }) => status.counts(scope, await about(scope, query))),
    handler(sync.retry, async ({ scope, body }) => resend(scope, await about(scope, body))),
  ]
}
