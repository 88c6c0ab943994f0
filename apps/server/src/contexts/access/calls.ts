/** Handlers of the calls on strategies, time rules and records. */
import { accessCalls } from '@gatehouse/contract/access/calls'
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
    handler(accessCalls.findRecords, ({ scope, body }) => records.list(scope, body)),
    handler(accessCalls.readRecord, ({ scope, params }) => records.read(scope, params.id)),
    handler(accessCalls.whyRecord, ({ session, params, language }) => why(session, params.id, language)),
    handler(accessCalls.deleteRecord, async ({ scope, params }) => {
      await records.delete(scope, params.id)
      return { id: params.id }
    }),
    handler(accessCalls.recordsOfPerson, ({ scope, query }) => records.ofPerson(scope, query)),
    handler(accessCalls.today, ({ scope }) => today(scope)),

    handler(accessCalls.findStrategies, ({ scope, body }) => strategies.list(scope, body)),
    handler(accessCalls.readStrategy, ({ scope, query }) => strategies.read(scope, query.id)),
    handler(accessCalls.createStrategy, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'strategy.create', body) })),
    handler(accessCalls.changeStrategy, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'strategy.change', body) })),
    handler(accessCalls.deleteStrategy, async ({ scope, query }) => {
      await strategies.delete(scope, query.id)
      return { id: query.id }
    }),
    handler(accessCalls.allStrategies, ({ scope }) => strategies.names(scope)),
    handler(accessCalls.strategiesOfPerson, ({ scope, query }) => strategies.ofPerson(scope, query.personId)),

    handler(accessCalls.allTimeRules, ({ scope }) => timeRules.names(scope)),
    handler(accessCalls.listTimeRules, ({ scope, query }) => timeRules.list(scope, query)),
    handler(accessCalls.readTimeRule, ({ scope, params }) => timeRules.read(scope, params.id)),
    handler(accessCalls.createTimeRule, async ({ scope, body }) => ({ id: await timeRules.create(scope, body) })),
    handler(accessCalls.changeTimeRule, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'timeRule.change', body) })),
    handler(accessCalls.deleteTimeRules, async ({ scope, body }) => ({ deleted: await timeRules.delete(scope, body.ids) })),
  ]
}
