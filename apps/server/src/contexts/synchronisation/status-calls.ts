/** Handlers of the calls on the synchronisation status. */
import { synchronisationCalls as calls } from '@gatehouse/contract/synchronisation/calls'
import { associatedSyncCalls as sync } from '@gatehouse/contract/strategies/associated-rules'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AssociatedRules } from '../strategies/index.ts'
import type { Resend } from './resend.ts'
import type { StatusService } from './status.ts'

export function statusHandlers(status: StatusService, resend: Resend): MountedCall[] {
  return [
    handler(calls.persons, ({ scope, query }) => status.persons(scope, query)),
    handler(calls.devicesOfPerson, ({ scope, query }) => status.devicesOfPerson(scope, query)),
    handler(calls.devices, ({ scope, query }) => status.devices(scope, query)),
    handler(calls.personsOfDevice, ({ scope, query }) => status.personsOfDevice(scope, query)),
    handler(calls.counts, ({ scope, query }) => status.counts(scope, query)),
    handler(calls.retryByAddress, ({ scope, query }) => resend(scope, query)),
    handler(calls.retry, ({ scope, body }) => resend(scope, body)),
  ]
}

/** Return handlers of the same calls about associated rules, which are no strategies to the other calls. */
export function associatedStatusHandlers(rules: Pick<AssociatedRules, 'linkedPark'>, status: StatusService, resend: Resend): MountedCall[] {
  /** Restrict a query to associated rules: strategies have calls of their own. @throws Refusal 300101 */
  const about = async <Query extends { strategyId: string }>(scope: Scope, query: Query): Promise<Query & { from: string }> => ({
    ...query,
    from: await rules.linkedPark(scope, query.strategyId),
  })

  return [
    handler(sync.persons, async ({ scope, query }) => status.persons(scope, await about(scope, query))),
    handler(sync.personsOfDevice, async ({ scope, query }) => status.personsOfDevice(scope, await about(scope, query))),
    handler(sync.devicesOfPerson, async ({ scope, query }) => status.devicesOfPerson(scope, await about(scope, query))),
    handler(sync.devices, async ({ scope, query }) => status.devices(scope, await about(scope, query))),
    handler(sync.counts, async ({ scope, query }) => status.counts(scope, await about(scope, query))),
    handler(sync.retry, async ({ scope, body }) => resend(scope, await about(scope, body))),
  ]
}
