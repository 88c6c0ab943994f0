/** The register of devices. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { createDeviceAdmission } from './admission.ts'
import { createDeviceChanging } from './changing.ts'
import * as data from './data.ts'
import type { DeviceDirectory } from './directory.ts'
import { devicesDeleted } from './events.ts'
import { createDeviceFacts } from './facts.ts'
import { createDeviceGroups } from './groups.ts'
import { createDeviceIdentifying } from './identifying.ts'
import { createPairing } from './pairing.ts'
import { createDeviceQueries } from './queries.ts'
import { createRegistration } from './register.ts'
import { createReleases } from './release.ts'
import { countConnectedUnscoped, markAllOfflineUnscoped } from './status-data.ts'
import type { DevicesService, ServiceNeeds } from './service-types.ts'

export function createDevicesService(
  platform: Platform,
  directory: DeviceDirectory,
  { holdings, admit, configured, accessCounts, doorStates, personsNamed, signIn, ...guarding }: ServiceNeeds,
): DevicesService {
  const db = platform.db
  const groups = createDeviceGroups(platform, guarding)
  const facts = createDeviceFacts(platform, groups, { configured })
  const admission = createDeviceAdmission(facts.facts, guarding)
  const pairing = createPairing(platform, directory, admission)
  const registration = createRegistration(platform, { admit, groups, pairing, admission })

  return {
    ...createReleases(platform, directory, admission),
    ...createDeviceQueries(platform, groups, { holdings, accessCounts, configured, doorStates }),
    ...createDeviceChanging(platform, { directory, groups, admission, admit }),
    ...createDeviceIdentifying(platform, directory, signIn),
    ...facts,
    groups,
    pairing,
    countByType: (tx, parkIds) => data.countByTypeUnscoped((tx as Transaction | null) ?? db, parkIds),
    create: async (scope, fields, decision) =>
      (await registration(scope, [fields], decision, { refusedAt: 'groupId', pathOf: (_, field) => field }))[0]!,
    createMany: (scope, rows, decision) =>
      registration(scope, rows, decision, { refusedAt: '', pathOf: (row, field) => `devices.${row}.${field}` }),
    releaseEffect: async (scope, id) => ({ persons: await personsNamed(scope, id) }),
    refresh: (scope, ids) => directory.refresh(scope, ids),
    secretsEnded: (scope) => signIn.ended(scope),
    connected: () => countConnectedUnscoped(db),
    markAllOffline: () => markAllOfflineUnscoped(db),
    async erasePark(tx, scope) {
      const { ids, codes } = await data.deleteDevicesOfPark(scope, tx, platform.clock.now())
      await platform.history.erase(tx, scope, ['device', 'deviceGroup'])
      if (ids.length > 0) await platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds: ids, codes })
      return { devices: ids.length }
    },
  }
}
