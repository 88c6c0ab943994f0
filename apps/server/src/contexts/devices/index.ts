/** Devices, their groups and pairing. */
import type { Context, Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import { on } from '../../platform/events.ts'
import { admittedDevices, type DeviceAdmission } from './admission.ts'
import { deviceHandlers } from './calls.ts'
import { allEntriesUnscoped, findEntries, findEntryUnscoped } from './data.ts'
import { createDeviceDirectory } from './directory.ts'
import { deviceSecretReset, devicesChanged, devicesDeleted } from './events.ts'
import { createPlacing, type Reach } from './placing.ts'
import { createRemovals } from './removal.ts'
import { devicesMigrations, type DevicesTables } from './schema.ts'
import { createDevicesService, type DevicesService, type ServiceNeeds } from './service.ts'

export {
  deviceFetched,
  deviceGroupDeleted,
  deviceGroupsChanged,
  deviceSecretReset,
  deviceStatusChanged,
  devicesChanged,
  devicesDeleted,
} from './events.ts'
export type { DeviceHolding } from './present.ts'
export type { AccessCounts, DevicesService, RegisteredDevice } from './service.ts'

export interface DevicesContext extends Context {
  service: DevicesService
}

/** What others supply later, because they need this context first. */
export type DevicesNeeds = ServiceNeeds & DeviceAdmission & { reach: Reach }

export function createDevices(platform: Platform, needs: DevicesNeeds): DevicesContext {
  const db = platform.db as unknown as Database<DevicesTables>
  const directory = createDeviceDirectory({
    all: () => allEntriesUnscoped(db),
    some: (scope, ids) => findEntries(scope, db, ids),
    byCode: (code) => findEntryUnscoped(db, code),
  })
  const service = admittedDevices(createDevicesService(platform, directory, needs), needs)
  const refresh = ({ parkId, payload }: { parkId: string; payload: { deviceIds: string[] } }) =>
    directory.refresh({ parkId }, payload.deviceIds)
  platform.events.consume({
    name: 'devices.directory',
    mode: 'everyNode',
    handlers: [on(devicesChanged, refresh), on(devicesDeleted, refresh), on(deviceSecretReset, refresh)],
  })
  const removals = createRemovals(platform)
  return {
    name: 'devices',
    service,
    calls: deviceHandlers(service, removals, createPlacing(service, needs.reach)),
    migrations: devicesMigrations,
    jobs: [service.pairing.job, removals.job],
    async start() {
      await service.markAllOffline()
      await directory.start()
    },
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
