/** Handlers of alarms. */
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AlarmsService } from './service.ts'

export const alarmsHandlers = (service: AlarmsService): MountedCall[] => [
  handler(alarmsCalls.saveAccountAlert, async ({ scope, session, body }) => service.saveAccountAlert(scope, session, body)),
  handler(alarmsCalls.accountAlertList, async ({ scope, session }) => service.accountAlert(scope, session)),
]
