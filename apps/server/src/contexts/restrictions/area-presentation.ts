/** Restriction areas as calls answer them and as the operation log shows them. */
import type { OfflinePolicy, RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { distinct, type Doors } from './area-devices.ts'
import * as data from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'
import { countInside } from './states-data.ts'

export function createAreaPresentation(platform: Platform, devices: RestrictionDependencies['devices']) {
  const db = platform.db

  async function present(scope: Scope, rows: readonly data.AreaRow[]): Promise<RestrictionArea[]> {
    const now = platform.clock.now()
    const [links, counts] = await Promise.all([
      data.findDevices(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      Promise.all(rows.map(({ id }) => countInside(scope, db, id, now))),
    ])
    const facts = new Map(
      (await devices.facts(scope, distinct(links.map(({ deviceId }) => deviceId)))).map((device) => [device.id, device]),
    )
    const named = (areaId: string, kind: string) =>
      links
        .flatMap((link) => (link.areaId === areaId && link.kind === kind && facts.has(link.deviceId) ? [facts.get(link.deviceId)!] : []))
        .map(({ id, name, direction }) => ({ id, name, direction }))
        .toSorted((one, other) => one.name.localeCompare(other.name))
    const doors = (inside: ReturnType<typeof named>, exits: ReturnType<typeof named>) => ({
      deviceIds: inside.map(({ id }) => id),
      exitDeviceIds: exits.map(({ id }) => id),
      devices: inside,
      exitDevices: exits,
    })
    return rows.map((row, index) => ({
      ...row,
      limitType: row.limitType as RestrictionArea['limitType'],
      offlinePolicy: row.offlinePolicy as OfflinePolicy,
      ...doors(named(row.id, 'door'), named(row.id, 'exit')),
      count: counts[index]!,
    }))
  }

  /** Return an area as the operation log shows it, with its doors by their names. */
  async function logged(
    scope: Scope,
    { name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy }: data.AreaValues,
    doors: Doors,
  ) {
    const names = async (ids: readonly string[]) => (await devices.facts(scope, distinct(ids))).map((device) => device.name).toSorted()
    const [deviceNames, exitDevices] = await Promise.all([names(doors.deviceIds), names(doors.exitDeviceIds)])
    return { name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy, devices: deviceNames, exitDevices }
  }

  return { present, logged }
}
