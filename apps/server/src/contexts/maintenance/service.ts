/** Devices as a technician sees them. */
import type { DataOf } from '@gatehouse/contract'
import type { AGENT_COMMANDS, maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { CommandOutcome, DeviceCommands } from '../../platform/broker/device-commands.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { Settings } from '../organisation/index.ts'
import { createAbsences, type Absences } from './absences.ts'
import { createLogs, type Logs } from './logs.ts'
import { oneDevice } from './one-device.ts'
import { createResourceAlerts, type ResourceAlerts } from './resource-alerts.ts'
import { createResources, type Resources } from './resources.ts'

export interface MaintenanceNeeds {
  devices: DevicesService
  settings: Settings
  commands: () => DeviceCommands
}

export type AgentCommand = (typeof AGENT_COMMANDS)[number]

export interface MaintenanceService {
  absences: Absences
  logs: Logs
  resources: Resources
  resourceAlerts: ResourceAlerts
  /** Run a command on a device and return its answer. @throws NotFound; Refusal 400001 for a device that is not online */
  controlAgent(scope: Scope, deviceId: string, command: AgentCommand): Promise<DataOf<typeof maintenanceCalls.controlAgent>>
}

export function createMaintenanceService(platform: Platform, { devices, settings, commands }: MaintenanceNeeds): MaintenanceService {
  const resourceAlerts = createResourceAlerts(platform, devices)
  const resources = createResources(platform, devices, resourceAlerts, commands, settings)

  const run = (scope: Scope, device: { id: string; code: string }, command: AgentCommand): Promise<CommandOutcome<object>> =>
    command === 'resource' ? resources.ask(scope, device) : commands().send(device, command, {})

  return {
    absences: createAbsences(platform, devices),
    logs: createLogs(platform, devices, commands),
    resources,
    resourceAlerts,
    async controlAgent(scope, deviceId, command) {
      const device = await oneDevice(devices, scope, deviceId)
      if (device.onlineStatus === deviceOnlineStatus.offline) refuse(400001)
      const { isSuccess, errorType, result } = await run(scope, device, command)
      platform.audit.note({ entity: 'device', id: deviceId, label: device.name, before: {}, after: { command, isSuccess, errorType } })
      return { isSuccess, errorType, result: result as Record<string, unknown> | null }
    },
  }
}
