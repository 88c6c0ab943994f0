/** Handlers of the calls on strategies, time rules and records. */
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { associatedHandlers } from './associated-calls.ts'
import { clinicHandlers } from './clinic-calls.ts'
import { accessGroupHandlers, lookupHandlers } from './lookup-calls.ts'
import { permitHandlers } from './permits-calls.ts'
import { questionHandlers } from './questions/calls.ts'
import { secondPhotographHandlers } from './second-photographs-calls.ts'
import type { AccessService } from './service.ts'
import { writtenRuleHandlers } from './written-rules-calls.ts'
import { statisticsHandlers } from './statistics-calls.ts'
import { statusHandlers } from './synchronisation/status-calls.ts'

export function accessHandlers(service: AccessService): MountedCall[] {
  const { clinic, livenessTrial, status, resend, records, pendingChanges, strategies, timeRules, today, why } = service
  return [
    ...lookupHandlers(service),
    ...accessGroupHandlers(service),
    ...associatedHandlers(service),
    ...questionHandlers(service.questions, service.changeDrafts),
    ...permitHandlers(service),
    ...writtenRuleHandlers(service),
    ...statusHandlers(status, resend),
    ...statisticsHandlers(service),
    ...clinicHandlers(clinic, livenessTrial),
    ...secondPhotographHandlers(service.secondPhotographs),
    handler(recordCalls.find, ({ scope, body }) => records.list(scope, body)),
    handler(recordCalls.read, ({ scope, params }) => records.read(scope, params.id)),
    handler(recordCalls.why, ({ session, params, language }) => why(session, params.id, language)),
    handler(recordCalls.delete, async ({ scope, params }) => {
      await records.delete(scope, params.id)
      return { id: params.id }
    }),
    handler(recordCalls.ofPerson, ({ scope, query }) => records.ofPerson(scope, query)),
    handler(statisticsCalls.today, ({ scope }) => today(scope)),

    handler(strategyCalls.find, ({ scope, body }) => strategies.list(scope, body)),
    handler(strategyCalls.read, ({ scope, query }) => strategies.read(scope, query.id)),
    handler(strategyCalls.create, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'strategy.create', body) })),
    handler(strategyCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'strategy.change', body) })),
    handler(strategyCalls.delete, async ({ scope, query }) => {
      await strategies.delete(scope, query.id)
      return { id: query.id }
    }),
    handler(strategyCalls.all, ({ scope }) => strategies.names(scope)),
    handler(strategyCalls.ofPerson, ({ scope, query }) => strategies.ofPerson(scope, query.personId)),

    handler(timeRuleCalls.all, ({ scope }) => timeRules.names(scope)),
    handler(timeRuleCalls.list, ({ scope, query }) => timeRules.list(scope, query)),
    handler(timeRuleCalls.read, ({ scope, params }) => timeRules.read(scope, params.id)),
    handler(timeRuleCalls.create, async ({ scope, body }) => ({ id: await timeRules.create(scope, body) })),
    handler(timeRuleCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'timeRule.change', body) })),
    handler(timeRuleCalls.delete, async ({ scope, body }) => ({ deleted: await timeRules.delete(scope, body.ids) })),
  ]
}
