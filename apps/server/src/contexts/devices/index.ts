/** Devices, their groups and pairing. */
import { createHmac } from 'node:crypto'
import { defineContext, type Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { on } from '../../platform/events/events.ts'
import { randomKey } from '../../platform/encryption/secrets.ts'
import { deviceCount, organisationContext, type Settings } from '../organisation/index.ts'
import { faceDevices, facesContext } from '../faces/index.ts'
import { deviceGroupTree, identityContext } from '../identity/index.ts'
import { extend, guarded } from '../../platform/extension-points.ts'
import {
  deviceConfiguration,
  deviceGuards,
  deviceHoldings,
  doorStates,
  passageCounts,
  personsAtDevice,
  ruleReach,
} from './extension-points.ts'
import { admittedDevices, type DeviceAdmission } from './admission.ts'
import { deviceHandlers } from './calls.ts'
import { allEntriesUnscoped, findEntries, findEntryUnscoped } from './data.ts'
import { createDeviceDirectory } from './directory.ts'
import { deviceSecretReset, devicesChanged, devicesDeleted } from './events.ts'
import { createHandshakes, type Handshakes } from './handshake.ts'
import { createPlacing, type Placing, type Reach } from './placing.ts'
import { createRemovals } from './removal.ts'
import { devicesMigrations, type DevicesTables } from './schema.ts'
import { createSignIn } from './sign-in.ts'
import { createDevicesService, type DevicesService, type ServiceNeeds } from './service.ts'

export {
  deviceConfiguration,
  deviceGuards,
  deviceHoldings,
  deviceLine,
  doorStates,
  passageCounts,
  personsAtDevice,
  ruleReach,
  type DeviceLine,
} from './extension-points.ts'
export {
  deviceFetched,
  deviceGroupDeleted,
  deviceGroupsChanged,
  deviceSecretReset,
  deviceSecretsEnded,
  deviceStatusChanged,
  devicesChanged,
  devicesDeleted,
} from './events.ts'
export type { DeviceHolding } from './present.ts'
export type { Placing } from './placing.ts'
export type { AccessCounts, DevicesService, RegisteredDevice } from './service.ts'

export interface DevicesContext extends Context {
  service: DevicesService
  placing: Placing
  handshakes: Handshakes
}

/** What others supply later, because they need this context first. */
export type DevicesNeeds = Omit<ServiceNeeds, 'signIn'> & DeviceAdmission & { reach: Reach; settings: Settings }

export const devicesContext = defineContext({
  name: 'devices',
  uses: { organisation: organisationContext, faces: facesContext, identity: identityContext },
  create(platform, { organisation }): DevicesContext {
    const guards = () => platform.extensions.all(deviceGuards)
    const needs: DevicesNeeds = {
      settings: organisation.settings,
      holdings: (scope, ids) => platform.extensions.one(deviceHoldings)(scope, ids),
      admit: (tx, scope, type, of) => organisation.limits.admit(tx, scope, type, of),
      configured: (scope, ids) => platform.extensions.one(deviceConfiguration)(scope, ids),
      accessCounts: (scope, ids) => platform.extensions.one(passageCounts)(scope, ids),
      personsNamed: (scope, deviceId) => platform.extensions.one(personsAtDevice)(scope, deviceId),
      reach: {
        atDevice: (scope, deviceId) => platform.extensions.one(ruleReach).atDevice(scope, deviceId),
        inGroup: (scope, groupId) => platform.extensions.one(ruleReach).inGroup(scope, groupId),
      },
      admittingDevices: (scope, changed, field, work) =>
        guarded(guards(), (guard, next) => guard.devices(scope, changed, field, next), work),
      admittingDeviceGroup: (scope, id, parentId, work) => guarded(guards(), (guard, next) => guard.group(scope, id, parentId, next), work),
      doorStates: (scope, ids) => platform.extensions.one(doorStates)(scope, ids),
    }
    const db = platform.db as unknown as Database<DevicesTables>
    const directory = createDeviceDirectory({
      all: () => allEntriesUnscoped(db),
      some: (scope, ids) => findEntries(scope, db, ids),
      byCode: (code) => findEntryUnscoped(db, code),
    })
    const signIn = createSignIn(platform, needs.settings)
    const service = admittedDevices(createDevicesService(platform, directory, { ...needs, signIn }), needs)
    let key: Buffer | null = null
    const handshakes = createHandshakes({
      key: () => {
        if (key === null) throw new Error('devices have not started')
        return key
      },
      directory,
      clock: platform.clock,
      keys: () => platform.transport.keys(),
      tlsOnly: platform.config.tls != null,
    })
    const refresh = ({ parkId, payload }: { parkId: string; payload: { deviceIds: string[] } }) =>
      directory.refresh({ parkId }, payload.deviceIds)
    platform.events.consume({
      name: 'devices.directory',
      mode: 'everyNode',
      handlers: [on(devicesChanged, refresh), on(devicesDeleted, refresh), on(deviceSecretReset, refresh)],
    })
    const removals = createRemovals(platform)
    const placing = createPlacing(service, needs.reach)
    return {
      service,
      placing,
      handshakes,
      calls: deviceHandlers({ service, removals, placing, handshakes, signIn }),
      migrations: devicesMigrations,
      jobs: [service.pairing.job, removals.job],
      async start() {
        // All servers of an installation share the broker's key; what is signed for devices is signed by one of its own.
        const shared = await platform.secrets.keep('broker.key', randomKey)
        key = createHmac('sha256', Buffer.from(shared, 'hex')).update('devices sign in').digest()
        await service.markAllOffline()
        await directory.start()
      },
      erasePark: (tx, scope) => service.erasePark(tx, scope),
      extensions: [
        extend(deviceCount, (tx, parkIds) => service.countByType(tx, parkIds)),
        extend(faceDevices, (scope, ids) => service.names(scope, ids)),
        extend(deviceGroupTree, {
          parks: (groupIds) => service.groups.parksOf(groupIds),
          below: (groupIds) => service.groups.below(groupIds),
        }),
      ],
    }
  },
})
