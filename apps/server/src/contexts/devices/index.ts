/** Devices, their groups and pairing. */
import { createHmac } from 'node:crypto'
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { randomKey } from '../../platform/encryption/secrets.ts'
import { deviceCount, organisationContext, type Settings } from '../organisation/index.ts'
import { faceDevices, facesContext } from '../faces/index.ts'
import { deviceGroupTree, identityContext } from '../identity/index.ts'
import { extend } from '../../platform/extension-points.ts'
import {
  deviceConfiguration,
  deviceGuard,
  deviceHoldings,
  doorStates,
  passageCounts,
  personsAtDevice,
  ruleReach,
  type Reach,
} from './extension-points.ts'
import { deviceHandlers } from './calls.ts'
import { allEntriesUnscoped, findEntries, findEntryUnscoped } from './directory-data.ts'
import { createDeviceDirectory } from './directory.ts'
import { deviceSecretReset, devicesChanged, devicesDeleted } from './events.ts'
import { createHandshakes, type Handshakes } from './handshake.ts'
import { createNumbered, type Numbered } from './numbered.ts'
import { createPlacing, type Placing } from './placing.ts'
import { createRemovals } from './removal.ts'
import { devicesMigrations } from './schema.ts'
import { createSignIn } from './sign-in.ts'
import { createDevicesService } from './service.ts'
import type { ServiceNeeds, DevicesService } from './service-types.ts'

export {
  deviceConfiguration,
  deviceGuard,
  deviceHoldings,
  deviceLine,
  doorStates,
  passageCounts,
  personsAtDevice,
  ruleReach,
  type AccessCounts,
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

export type { Numbered, NumberedKind, NumberedMessage } from './numbered.ts'
export { numberedRun, type NumberedRun } from './numbered-run.ts'
export type { DeviceHolding } from './present.ts'
export type { Placing } from './placing.ts'
export type { DevicesService, RegisteredDevice } from './service-types.ts'

export interface DevicesContext extends Context {
  service: DevicesService
  placing: Placing
  numbered: Numbered
  handshakes: Handshakes
}

/** What other contexts supply later, because they depend on this one. */
export type DevicesNeeds = Omit<ServiceNeeds, 'signIn'> & { reach: Reach; settings: Settings }

export const devicesContext = defineContext({
  name: 'devices',
  uses: { organisation: organisationContext, faces: facesContext, identity: identityContext },
  create(platform, { organisation }): DevicesContext {
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
      admittingDevices: (scope, changed, field, work) => platform.extensions.one(deviceGuard).devices(scope, changed, field, work),
      admittingDeviceGroup: (scope, id, parentId, work) => platform.extensions.one(deviceGuard).group(scope, id, parentId, work),
      doorStates: (scope, ids) => platform.extensions.one(doorStates)(scope, ids),
    }
    const db = platform.db
    const directory = createDeviceDirectory({
      all: () => allEntriesUnscoped(db),
      some: (scope, ids) => findEntries(scope, db, ids),
      byCode: (code) => findEntryUnscoped(db, code),
    })
    const signIn = createSignIn(platform, needs.settings)
    const service = createDevicesService(platform, directory, { ...needs, signIn })
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
    const numbered = createNumbered(platform)
    return {
      service,
      placing,
      numbered,
      handshakes,
      calls: deviceHandlers({ service, removals, placing, handshakes, signIn }),
      migrations: devicesMigrations,
      jobs: [service.pairing.job, removals.job, numbered.job],
      async start() {
        // All servers of an installation share the broker's key; signatures for devices use a separate key derived from it.
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
