/** How often somebody tried to pass at devices. */
import { localDate } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import type { Tables } from './data.ts'
import { countByDevice } from './days-data.ts'

/** By device: on the park's own today, and ever, deleted records included; those of the watch list only for whom it exists. Every device asked for has an entry. */
export type DeviceCounts = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, { today: number; total: number }>>

export function createDeviceCounts(platform: Platform, { organisation }: Pick<StatisticsDependencies, 'organisation'>): DeviceCounts {
  const db = platform.db as unknown as Database<Tables>
  return async (scope, deviceIds) => {
    if (deviceIds.length === 0) return new Map()
    const today = localDate(platform.clock.now(), organisation.park(scope).zone)
    return new Map((await countByDevice(scope, db, deviceIds, today)).map(({ deviceId, ...counts }) => [deviceId, counts]))
  }
}
