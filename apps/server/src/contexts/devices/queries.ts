/** Reads devices as they are answered, in lists and counts. */
import type { DEVICE_ATTENTION } from '@gatehouse/contract/devices/calls'
import type { Device, DeviceDetail } from '@gatehouse/contract/devices/device'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { isTamperingRecent } from '@gatehouse/contract/devices/tampering'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { DeviceGroups } from './groups.ts'
import { NOTHING, gateOf, isNearlyFull, missingAt, present } from './present.ts'
import type { ServiceNeeds, DevicesService } from './service-types.ts'

const { authorised } = deviceAuthorisationStatus

/** @throws NotFound if one of them does not exist */
export async function existingDevices(scope: Scope, db: Database, ids: readonly string[]): Promise<data.DeviceRow[]> {
  const rows = await data.findDevices(scope, db, ids)
  if (rows.length < new Set(ids).size) throw new NotFound()
  return rows
}

export function createDeviceQueries(
  platform: Platform,
  groups: Pick<DeviceGroups, 'withDescendants'>,
  { holdings, accessCounts, configured, doorStates }: Pick<ServiceNeeds, 'holdings' | 'accessCounts' | 'configured' | 'doorStates'>,
): Pick<DevicesService, 'list' | 'read' | 'some' | 'all' | 'summary'> {
  const db = platform.db

  async function overviews(scope: Scope, rows: readonly data.DeviceRow[]): Promise<Device[]> {
    const stored = await holdings(
      scope,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => present(row, stored.get(row.id)))
  }

  async function detailed(scope: Scope, rows: readonly data.DeviceRow[]): Promise<DeviceDetail[]> {
    const ids = rows.map(({ id }) => id)
    const [devices, counts, set, doors] = await Promise.all([
      overviews(scope, rows),
      accessCounts(scope, ids),
      configured(scope, ids),
      doorStates(scope, ids),
    ])
    return devices.map((device) => ({
      ...device,
      gateStatus: gateOf(doors.get(device.id)),
      networkMode: set.get(device.id)?.configuration?.networkMode ?? null,
      todayAccessCount: counts.get(device.id)?.today ?? 0,
      totalAccessCount: counts.get(device.id)?.total ?? 0,
    }))
  }

  /** Return every device of the park with the numbers of its persons, for counting. */
  async function states(scope: Scope) {
    const rows = await data.findStates(scope, db)
    const stored = await holdings(
      scope,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, ...(stored.get(row.id) ?? NOTHING) }))
  }
  type State = Awaited<ReturnType<typeof states>>[number]

  const needing: Record<(typeof DEVICE_ATTENTION)[number], (state: State) => boolean> = {
    notPaired: ({ authorisation }) => authorisation !== authorised,
    notReleased: ({ releasedAt }) => releasedAt === null,
    notSynced: (state) => state.authorisation === authorised && missingAt(state) !== 0,
    nearlyFull: ({ capacity, personsDesired }) => isNearlyFull(capacity, personsDesired),
    tampered: ({ tamperedAt }) => tamperedAt !== null && isTamperingRecent(tamperedAt, platform.clock.now()),
  }

  return {
    async list(scope, query) {
      const groupIds = query.groupId === undefined ? null : await groups.withDescendants(scope, [query.groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const ids = query.attention === undefined ? null : (await states(scope)).filter(needing[query.attention]).map(({ id }) => id)
      const { content, total } = await data.listDevices(scope, db, query, { groupIds, ids })
      return { total, content: await detailed(scope, content), page: query.page, size: query.size }
    },
    read: async (scope, id) => (await detailed(scope, await existingDevices(scope, db, [id])))[0]!,
    some: async (scope, ids) => overviews(scope, await data.findDevices(scope, db, ids)),
    all: async (scope) => overviews(scope, await data.allDevices(scope, db)),
    async summary(scope) {
      const devices = await states(scope)
      const paired = devices.filter(({ authorisation }) => authorisation === authorised)
      return {
        total: devices.length,
        online: devices.filter(({ online }) => online).length,
        neverPaired: devices.length - paired.length,
        notReleased: devices.filter(needing.notReleased).map(({ id, name }) => ({ id, name })),
        offline: paired.filter(({ online }) => !online).map(({ id, name, lastSeenAt }) => ({ id, name, lastSeenAt })),
        notSynced: paired
          .filter((state) => state.online && missingAt(state) !== 0)
          .map((state) => ({ id: state.id, name: state.name, missing: missingAt(state) })),
        nearlyFull: devices
          .filter(needing.nearlyFull)
          .map(({ id, name, personsDesired, capacity }) => ({ id, name, personsDesired, capacity: capacity! })),
        tampered: devices.filter(needing.tampered).map(({ id, name, tamperedAt }) => ({ id, name, at: tamperedAt! })),
      }
    },
  }
}
