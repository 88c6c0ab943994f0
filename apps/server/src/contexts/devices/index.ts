/** Devices, their groups and pairing. */
import { createHmac } from 'node:crypto'
import type { Context, Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { on } from '../../platform/events/events.ts'
import { randomKey } from '../../platform/encryption/secrets.ts'
import type { Settings } from '../organisation/index.ts'
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

export function createDevices(platform: Platform, needs: DevicesNeeds): DevicesContext {
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
    name: 'devices',
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
  }
}
