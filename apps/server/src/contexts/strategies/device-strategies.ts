/** Which strategies hold at a device: those that name it, a group it stands in, or an access group with either. */
import type { DataOf } from '@gatehouse/contract'
import type { strategyCalls } from '@gatehouse/contract/strategies/calls'
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import { findAccessGroupIdsNaming } from './access-groups-data.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { findRulesOf, findStrategies, findStrategyIdsNaming } from './strategies-data.ts'

export interface DeviceStrategies {
  /** Ids of the strategies that hold at a device, in order; null where this park has no such device. */
  idsAt(scope: Scope, deviceId: string): Promise<string[] | null>
  /** Ids of the strategies that hold at whatever stands in a group. */
  idsIn(scope: Scope, groupId: string): Promise<string[]>
  /** By name. @throws NotFound */
  at(scope: Scope, deviceId: string): Promise<DataOf<typeof strategyCalls.ofDevice>>
}

export function createDeviceStrategies(platform: Platform, { devices }: Pick<StrategyDependencies, 'devices'>): DeviceStrategies {
  const db = platform.db

  async function idsAt(scope: Scope, deviceId: string): Promise<string[] | null> {
    const [device] = isUuid(deviceId) ? await devices.facts(scope, [deviceId]) : []
    if (device === undefined) return null
    return naming(scope, [deviceId], device.groupId)
  }

  /** Strategies that name one of these devices, a group or one above it, or an access group with any of them. */
  async function naming(scope: Scope, deviceIds: readonly string[], groupId: string | null): Promise<string[]> {
    // A strategy holds by a group that stands above those the asker is shown, too.
    const above = new Map((await devices.groupRows(seeingAll(scope))).map(({ id, parentId }) => [id, parentId]))
    const groupIds: string[] = []
    for (let at: string | null = groupId; at !== null && !groupIds.includes(at); at = above.get(at) ?? null) groupIds.push(at)
    const doors = [
      { kind: 'device' as const, ids: deviceIds },
      { kind: 'deviceGroup' as const, ids: groupIds },
    ]
    return findStrategyIdsNaming(scope, db, [...doors, { kind: 'accessGroup', ids: await findAccessGroupIdsNaming(scope, db, doors) }])
  }

  return {
    idsAt,
    idsIn: (scope, groupId) => (isUuid(groupId) ? naming(scope, [], groupId) : Promise.resolve([])),
    async at(scope, deviceId) {
      const ids = await idsAt(scope, deviceId)
      if (ids === null) throw new NotFound()
      const [strategies, rules] = await Promise.all([findStrategies(scope, db, ids), findRulesOf(scope, db, ids)])
      return strategies
        .map(({ id, name, kind }) => ({
          id,
          name,
          kind,
          timeRules: rules.filter((rule) => rule.strategyId === id).map((rule) => ({ id: rule.id, name: rule.name })),
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name))
    },
  }
}
