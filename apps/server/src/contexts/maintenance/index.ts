/** Maintenance of devices: the context as others see it. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { devicesContext, deviceStatusChanged, devicesDeleted, deviceLine } from '../devices/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { maintenanceHandlers } from './calls.ts'
import { maintenanceMigrations } from './schema.ts'
import { createMaintenanceService, type MaintenanceNeeds, type MaintenanceService } from './service.ts'

export { deviceResourceAlert } from './events.ts'
export type { HandledAlert, ResourceAlerts } from './resource-alerts.ts'
export type { MaintenanceService } from './service.ts'

export interface MaintenanceContext extends Context {
  service: MaintenanceService
}

export interface MaintenanceDependencies extends MaintenanceNeeds {
  /** All parks of the installation. */
  parkIds(): readonly string[]
}

export const maintenanceContext = defineContext({
  name: 'maintenance',
  uses: { devices: devicesContext, organisation: organisationContext },
  create(platform, { devices, organisation }): MaintenanceContext {
    const parkIds = () => organisation.service.parks().map(({ id }) => id)
    const needs: MaintenanceNeeds = {
      devices: devices.service,
      settings: organisation.settings,
      commands: () => platform.extensions.one(deviceLine),
    }
    const service = createMaintenanceService(platform, needs)
    const { absences, logs, resources, resourceAlerts } = service
    platform.events.consume({
      name: 'maintenance.devices',
      mode: 'once',
      handlers: [
        on(deviceStatusChanged, async ({ parkId, payload: { switched } }) => {
          for (const change of switched) await absences.switched({ parkId }, change)
          const online = switched.filter((change) => change.online).map(({ deviceId }) => deviceId)
          if (online.length > 0) await logs.online({ parkId }, online)
        }),
        on(devicesDeleted, async ({ parkId, payload: { deviceIds } }) => {
          for (const part of [absences, logs, resources]) await part.forget({ parkId }, deviceIds)
        }),
      ],
    })
    return {
      service,
      calls: maintenanceHandlers(service),
      migrations: maintenanceMigrations,
      jobs: [
        {
          name: 'maintenance.noteMissing',
          schedule: '* * * * *',
          run: async () => ({ outcome: 'success', counts: { devicesMissing: await absences.noteMissing(parkIds()) } }),
        },
        {
          name: 'maintenance.keepLogs',
          schedule: '*/10 * * * *',
          run: async () => ({ outcome: 'success', counts: { deviceLogs: await logs.upkeep() } }),
        },
        {
          name: 'maintenance.dropOldAlerts',
          schedule: '27 3 * * *',
          run: async () => ({ outcome: 'success', counts: { alarms: await resourceAlerts.dropOld(parkIds()) } }),
        },
      ],
      async start() {
        absences.start()
      },
      async erasePark(tx, scope) {
        return {
          deviceAbsences: await absences.erasePark(tx, scope),
          deviceLogs: await logs.erasePark(tx, scope),
          deviceResourceAlerts: await resources.erasePark(tx, scope),
        }
      },
      async stop() {
        await Promise.all([logs.stop(), resources.stop()])
      },
    }
  },
})
