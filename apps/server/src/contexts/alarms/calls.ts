/** Handlers of alarms. */
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AlarmsService } from './service.ts'

export const alarmsHandlers = (service: AlarmsService): MountedCall[] => [
  handler(alarmsCalls.saveAccountAlert, async ({ session, body }) => service.saveAccountAlert(session, body)),
  handler(alarmsCalls.accountAlertList, async ({ session }) => service.accountAlert(session)),
]
