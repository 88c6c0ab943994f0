/** Handlers of the device calls. */
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest, refuse } from '../../platform/refusal.ts'
import type { DoorControl } from './door-control.ts'
import type { DevicesService } from './service.ts'

export function deviceHandlers(service: DevicesService, door: () => DoorControl): MountedCall[] {
  return [
    handler(deviceCalls.list, ({ scope, query }) => service.list(scope, query)),
    handler(deviceCalls.read, ({ scope, params }) => service.read(scope, params.id)),
    handler(deviceCalls.create, ({ scope, body }) => service.create(scope, body)),
    handler(deviceCalls.change, async ({ scope, body: { id, version, ...fields } }) => {
      await service.change(scope, id, version, fields)
      return { id }
    }),
    handler(deviceCalls.resetSecret, ({ scope, params }) => service.resetSecret(scope, params.id)),
    handler(deviceCalls.delete, async ({ scope, query }) => {
      if (query.ids === undefined || query.ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
      return { deleted: await service.delete(scope, query.ids) }
    }),
    handler(deviceCalls.summary, async ({ scope }) => {
      const devices = await service.all(scope)
      const paired = devices.filter((device) => device.authorisationStatus === 1)
      return {
        total: devices.length,
        online: devices.filter((device) => device.onlineStatus === 1).length,
        neverPaired: devices.length - paired.length,
        offline: paired.filter((device) => device.onlineStatus === 0).map(({ id, name, lastSeenAt }) => ({ id, name, lastSeenAt })),
        notSynced: paired
          .filter((device) => device.onlineStatus === 1 && device.personsHeld !== device.personsDesired)
          .map((device) => ({ id: device.id, name: device.name, missing: device.personsDesired - device.personsHeld })),
      }
    }),
    handler(deviceCalls.groupTree, ({ scope }) => service.groupTree(scope)),
    handler(deviceCalls.createGroup, async ({ scope, body }) => ({ id: await service.createGroup(scope, body.name, body.parentId ?? null) })),
    handler(deviceCalls.controlDoor, async ({ scope, body }) => {
      const device = await service.read(scope, body.deviceId)
      // Known beforehand: offline, or an Android device, which takes no remote control.
      if (device.onlineStatus === 0 || device.model === 5) refuse(400205)
      return door().control(device, body.operateType)
    }),
  ]
}
