/** Devices, their groups and pairing. */
import type { Context, Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import { on } from '../../platform/events.ts'
import { deviceHandlers } from './calls.ts'
import { allEntriesUnscoped, findEntries, findEntryUnscoped } from './data.ts'
import { createDeviceDirectory } from './directory.ts'
import type { DoorControl } from './door-control.ts'
import { deviceSecretReset, devicesChanged, devicesDeleted } from './events.ts'
import { devicesMigrations, type DevicesTables } from './schema.ts'
import { createDevicesService, type DevicesService, type Holdings } from './service.ts'

export { deviceSecretReset, deviceStatusChanged, devicesChanged, devicesDeleted } from './events.ts'
export type { DoorControl } from './door-control.ts'
export type { DeviceHolding, DevicesService } from './service.ts'

export interface DevicesContext extends Context {
  service: DevicesService
}

/** What others supply later, because they need this context first. */
export interface DevicesNeeds {
  door(): DoorControl
  holdings: Holdings
}

export function createDevices(platform: Platform, { door, holdings }: DevicesNeeds): DevicesContext {
  const db = platform.db as unknown as Database<DevicesTables>
  const directory = createDeviceDirectory({
    all: () => allEntriesUnscoped(db),
    some: (scope, ids) => findEntries(scope, db, ids),
    byCode: (code) => findEntryUnscoped(db, code),
  })
  const service = createDevicesService(platform, directory, holdings)
  const refresh = ({ parkId, payload }: { parkId: string; payload: { deviceIds: string[] } }) => directory.refresh({ parkId }, payload.deviceIds)
  platform.events.consume({
    name: 'devices.directory',
    mode: 'everyNode',
    handlers: [on(devicesChanged, refresh), on(devicesDeleted, refresh), on(deviceSecretReset, refresh)],
  })
  return {
    name: 'devices',
    service,
    calls: deviceHandlers(service, door),
    migrations: devicesMigrations,
    async start() {
      await service.markAllOffline()
      await directory.start()
    },
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
