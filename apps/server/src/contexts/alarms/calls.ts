/** Handlers of the settings of alarms. */
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { SurveillanceContext } from '../surveillance/index.ts'
import type { AlarmSettings } from './alarm-settings.ts'
import { seesFaceAlarms } from './policy.ts'
import type { AlarmsService } from './service.ts'

export const alarmsHandlers = (service: AlarmsService, settings: AlarmSettings, tasks: SurveillanceContext['tasks']): MountedCall[] => [
  handler(alarmsCalls.saveAccountAlert, async ({ scope, session, body }) => service.saveAccountAlert(scope, session, body)),
  handler(alarmsCalls.accountAlertList, async ({ scope, session }) => service.accountAlert(scope, session)),
  handler(alarmsCalls.config, async ({ scope }) => settings.config(scope)),
  handler(alarmsCalls.saveConfig, ({ scope, body }) => settings.saveConfig(scope, body)),
  handler(alarmsCalls.surveillanceList, async ({ scope, session }) => (seesFaceAlarms(session) ? tasks.names(scope) : [])),
  handler(alarmsCalls.sounds, async ({ language }) => settings.sounds(language)),
]
