/** Access groups as they are answered. */
import type { AccessGroup } from '@gatehouse/contract/strategies/access-groups'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { doorsOf, type Doors } from './access-group-doors.ts'
import * as data from './access-groups-data.ts'
import type { AccessGroupService } from './access-groups-types.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { distinct } from './strategy-changes.ts'

/** @throws Refusal 300101 */
export async function existingAccessGroup(scope: Scope, db: Database, id: string): Promise<data.AccessGroupRow> {
  const [row] = isUuid(id) ? await data.findAccessGroups(scope, db, [id]) : []
  return row ?? refuse(300101)
}

export function createAccessGroupQueries(
  platform: Platform,
  { devices }: Pick<StrategyDependencies, 'devices'>,
): Pick<AccessGroupService, 'all' | 'read'> {
  const db = platform.db

  async function present(scope: Scope, rows: readonly data.AccessGroupRow[]): Promise<AccessGroup[]> {
    const doors = await doorsOf(
      scope,
      db,
      rows.map(({ id }) => id),
    )
    const every = (field: keyof Doors): string[] => distinct([...doors.values()].flatMap((one) => one[field]))
    const [deviceNames, groupNames, reached] = await Promise.all([
      devices.names(scope, every('deviceIds')),
      devices.groupNames(scope, every('deviceGroupIds')),
      Promise.all(
        rows.map(({ id }) => (doors.get(id)!.deviceGroupIds.length === 0 ? [] : devices.idsInGroups(scope, doors.get(id)!.deviceGroupIds))),
      ),
    ])
    const among = (named: readonly { id: string; name: string }[], ids: readonly string[]) => {
      const chosen = new Set(ids)
      return named.filter(({ id }) => chosen.has(id)).toSorted((one, other) => one.name.localeCompare(other.name))
    }
    // Only what still exists: a form sends back what it received, and must not be refused for it.
    return rows.map((row, index) => {
      const own = doors.get(row.id)!
      const [named, groups] = [among(deviceNames, own.deviceIds), among(groupNames, own.deviceGroupIds)]
      return {
        ...row,
        devices: named,
        deviceGroups: groups,
        deviceIds: named.map(({ id }) => id),
        deviceGroupIds: groups.map(({ id }) => id),
        deviceCount: new Set([...named.map(({ id }) => id), ...reached[index]!]).size,
      }
    })
  }

  return {
    all: async (scope) => present(scope, await data.listAccessGroups(scope, db)),
    read: async (scope, id) => (await present(scope, [await existingAccessGroup(scope, db, id)]))[0]!,
  }
}
