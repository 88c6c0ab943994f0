/**
 * Handlers of the calls on strategies, access groups and time rules. Those whose change may wait for a second person
 * are handled where that is decided.
 */
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AccessGroupService } from './access-groups-types.ts'
import type { ReadCalendar } from './calendar.ts'
import type { DeviceStrategies } from './device-strategies.ts'
import type { PasswordIsFree } from './pass-password.ts'
import type { RelatedPersons } from './relation-users.ts'
import type { StrategyService } from './strategies-types.ts'
import type { TimeRuleService } from './time-rules.ts'

interface Parts {
  strategies: StrategyService
  accessGroups: AccessGroupService
  deviceStrategies: DeviceStrategies
  relatedPersons: RelatedPersons
  passwordIsFree: PasswordIsFree
}

export const strategyHandlers = ({ strategies, accessGroups, deviceStrategies, relatedPersons, passwordIsFree }: Parts): MountedCall[] => [
  handler(strategyCalls.find, ({ scope, body }) => strategies.list(scope, body)),
  handler(strategyCalls.read, ({ scope, query }) => strategies.read(scope, query.id)),
  handler(strategyCalls.delete, async ({ scope, query }) => {
    await strategies.delete(scope, query.id)
    return { id: query.id }
  }),
  handler(strategyCalls.all, ({ scope, query }) => strategies.names(scope, query.kind)),
  handler(strategyCalls.ofPerson, ({ scope, query }) => strategies.ofPerson(scope, query.personId)),
  handler(strategyCalls.ofDevice, ({ scope, query }) => deviceStrategies.at(scope, query.deviceId)),
  handler(strategyCalls.relatedPersons, ({ scope, body }) => relatedPersons(scope, body)),
  handler(strategyCalls.checkPassword, async ({ session, body }) => ({ free: await passwordIsFree(session, body) })),
  handler(accessGroupCalls.all, ({ scope }) => accessGroups.all(scope)),
  handler(accessGroupCalls.read, ({ scope, query }) => accessGroups.read(scope, query.id)),
  handler(accessGroupCalls.create, async ({ scope, body }) => ({ id: await accessGroups.create(scope, body) })),
  handler(accessGroupCalls.delete, async ({ scope, params }) => {
    await accessGroups.delete(scope, params.id)
    return { id: params.id }
  }),
]

export const timeRuleHandlers = (timeRules: TimeRuleService, readCalendar: ReadCalendar): MountedCall[] => [
  handler(timeRuleCalls.all, ({ scope }) => timeRules.names(scope)),
  handler(timeRuleCalls.list, ({ scope, query }) => timeRules.list(scope, query)),
  handler(timeRuleCalls.read, ({ scope, params }) => timeRules.read(scope, params.id)),
  handler(timeRuleCalls.create, async ({ scope, body }) => ({ id: await timeRules.create(scope, body) })),
  handler(timeRuleCalls.delete, async ({ scope, body }) => ({ deleted: await timeRules.delete(scope, body.ids) })),
  handler(timeRuleCalls.readCalendar, async ({ scope, file, body }) => readCalendar(scope, { file, text: body.text })),
]
