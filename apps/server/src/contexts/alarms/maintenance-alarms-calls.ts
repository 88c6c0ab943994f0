/** Handlers of maintenance alarms. */
import { maintenanceAlarmCalls } from '@gatehouse/contract/alarms/maintenance-alarms'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { MaintenanceAlarms } from './maintenance-alarms.ts'

export const maintenanceAlarmHandlers = (alarms: MaintenanceAlarms): MountedCall[] => [
  handler(maintenanceAlarmCalls.list, ({ scope, query }) => alarms.list(scope, query)),
  handler(maintenanceAlarmCalls.read, ({ scope, query }) => alarms.read(scope, query.id)),
  handler(maintenanceAlarmCalls.dispose, ({ scope, session, body }) => alarms.dispose(scope, session, body)),
]
