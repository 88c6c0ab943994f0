/** Handlers of the maintenance calls. */
import { maintenanceCalls as calls } from '@gatehouse/contract/maintenance/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { MaintenanceService } from './service.ts'

export const maintenanceHandlers = ({ absences, logs, resources, controlAgent }: MaintenanceService): MountedCall[] => [
  handler(calls.offline, ({ scope, query }) => absences.list(scope, query)),
  handler(calls.requestLog, async ({ scope, session, query }) => ({ id: await logs.request(scope, session, query.deviceId) })),
  handler(calls.logs, ({ scope, query }) => logs.list(scope, query)),
  handler(calls.logFile, ({ scope, params }) => logs.file(scope, params.id)),
  handler(calls.retryLog, async ({ scope, params: { id } }) => {
    await logs.retry(scope, id)
    return { id }
  }),
  handler(calls.resource, ({ scope, body }) => resources.look(scope, body.deviceId)),
  handler(calls.resourceAlerts, ({ scope, query }) => resources.alerts(scope, query)),
  handler(calls.thresholds, async ({ scope }) => resources.thresholds(scope)),
  handler(calls.saveThresholds, ({ scope, body: { version, ...thresholds } }) => resources.saveThresholds(scope, thresholds, version)),
  handler(calls.controlAgent, ({ scope, body }) => controlAgent(scope, body.deviceId, body.command)),
  handler(calls.sendLog, async ({ device, params: { id }, file }) => {
    if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
    await logs.take(device, id, file.bytes)
    return { id }
  }),
  handler(calls.reportResource, async ({ device, scope, body }) => ({ thresholds: await resources.note(scope, device.deviceId, body) })),
]
