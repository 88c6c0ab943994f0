/** Handlers of rule alarms, temperature alarms, and escalation. */
import { escalationCalls } from '@gatehouse/contract/alarms/escalation'
import { ruleAlarmCalls } from '@gatehouse/contract/alarms/rule-alarms'
import { temperatureAlarmCalls } from '@gatehouse/contract/alarms/temperature-alarms'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { EscalationService } from './escalation.ts'
import type { PassageAlarms } from './passage-alarms.ts'

export const passageAlarmHandlers = (alarms: PassageAlarms): MountedCall[] => [
  handler(ruleAlarmCalls.list, ({ scope, body }) => alarms.rules(scope, body)),
  handler(ruleAlarmCalls.dispose, ({ scope, session, body }) => alarms.dispose(scope, session, body)),
  handler(temperatureAlarmCalls.list, ({ scope, body }) => alarms.temperatures(scope, body)),
  handler(temperatureAlarmCalls.read, ({ scope, query: { id } }) => alarms.temperature(scope, id)),
  handler(temperatureAlarmCalls.handle, ({ scope, session, body }) => alarms.handleTemperature(scope, session, body)),
]

export const escalationHandlers = (escalation: EscalationService): MountedCall[] => [
  handler(escalationCalls.read, async ({ scope }) => escalation.read(scope)),
  handler(escalationCalls.save, ({ scope, session, body }) => escalation.save(scope, body, session.masking)),
]
