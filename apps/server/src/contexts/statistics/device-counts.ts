/** Counts of attempted passages at devices. */
import { localDate } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import { countByDevice } from './days-data.ts'

/**
 * Return counts by device: of the park's current day, and in total, deleted records included; passages of the watch list only for
 * a caller who may see it. Every id has an entry.
 */
export type DeviceCounts = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, { today: number; total: number }>>

export function createDeviceCounts(platform: Platform, { organisation }: Pick<StatisticsDependencies, 'organisation'>): DeviceCounts {
  const db = platform.db
  return async (scope, deviceIds) => {
    if (deviceIds.length === 0) return new Map()
    const today = localDate(platform.clock.now(), organisation.park(scope).zone)
    return new Map((await countByDevice(scope, db, deviceIds, today)).map(({ deviceId, ...counts }) => [deviceId, counts]))
  }
}
