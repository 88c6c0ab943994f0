/** Devices, their groups and pairing. */
import type { Context, Platform } from '../../platform/context.ts'
import { deviceHandlers } from './calls.ts'
import type { DoorControl } from './door-control.ts'
import { devicesMigrations } from './schema.ts'
import { createDevicesService, type DevicesService } from './service.ts'

export { deviceSecretReset, deviceStatusChanged, devicesChanged, devicesDeleted } from './events.ts'
export type { DoorControl } from './door-control.ts'
export type { DevicesService } from './service.ts'

export interface DevicesContext extends Context {
  service: DevicesService
}

/** @param door supplied later by the gateway, which itself needs this context */
export function createDevices(platform: Platform, door: () => DoorControl): DevicesContext {
  const service = createDevicesService(platform)
  return {
    name: 'devices',
    service,
    calls: deviceHandlers(service, door),
    migrations: devicesMigrations,
    start: () => service.markAllOffline(),
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
