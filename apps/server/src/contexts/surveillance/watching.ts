/** Monitoring tasks in memory, of each park once somebody asks for it; dropped when anything they come from changes. */
import { isOpen } from '@gatehouse/access-rules'
import { scoreOfTask } from '@gatehouse/contract/faces/precision'
import { taskStateAt } from '@gatehouse/contract/surveillance/task-rules'
import type { Platform } from '../../platform/context.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { SurveillanceDependencies } from './dependencies.ts'
import * as data from './tasks-data.ts'
import type { Watching } from './watching-types.ts'

interface StoredTask {
  row: data.TaskRow
  deviceIds: ReadonlySet<string>
  groupIds: ReadonlySet<string>
}

export interface WatchingInMemory extends Watching {
  /** Drop the tasks of a park: they are read again when they are asked for. */
  forget(scope: Pick<Scope, 'parkId'>): void
}

export function createWatching(
  platform: Pick<Platform, 'db'>,
  { groups, faces, organisation }: Pick<SurveillanceDependencies, 'groups' | 'faces' | 'organisation'>,
): WatchingInMemory {
  const db = platform.db
  const tasks = new Map<string, Promise<StoredTask[]>>()

  async function load(scope: Scope): Promise<StoredTask[]> {
    const rows = await data.findEnabled(scope, db)
    const members = await data.findMembers(
      scope,
      db,
      rows.map(({ id }) => id),
    )
    const all = await Promise.all(
      rows.map(async (row) => {
        const { deviceIds, personGroupIds } = members.get(row.id)!
        return { row, deviceIds: new Set(deviceIds), groupIds: new Set(await groups.withDescendants(scope, personGroupIds)) }
      }),
    )
    // Without a group, everybody would be a stranger.
    return all.filter(({ deviceIds, groupIds }) => deviceIds.size > 0 && groupIds.size > 0)
  }

  function tasksOf(scope: Scope): Promise<StoredTask[]> {
    const { parkId } = scope
    const cached = tasks.get(parkId)
    if (cached !== undefined) return cached
    const loading = load(scope)
    tasks.set(parkId, loading)
    loading.catch(() => {
      if (tasks.get(parkId) === loading) tasks.delete(parkId)
    })
    return loading
  }

  return {
    async at(caller, deviceId, moment) {
      const scope = seeingAll(caller)
      const there = (await tasksOf(scope)).filter(
        ({ row, deviceIds }) => deviceIds.has(deviceId) && taskStateAt(row, moment) === 'inControl',
      )
      if (there.length === 0) return []
      const { zone } = organisation.park(scope)
      const looking = there.filter(({ row: { id, periods } }) =>
        isOpen({ id, periods, allowedExceptionDates: [], forbiddenExceptionDates: [] }, moment, zone),
      )
      if (looking.length === 0) return []
      // It follows the photographs and the promise of the park, which keep it in memory themselves.
      const { watchList } = await faces.thresholdsOf(scope)
      return looking.map(({ row, groupIds }) => ({
        id: row.id,
        name: row.name,
        groupIds,
        score: scoreOfTask(row, watchList),
        ownThresholds: row.compareRule === 'person',
        lowThreshold: row.lowThreshold,
        highThreshold: row.highThreshold,
        strangerAlarm: row.strangerAlarm,
        alarmSound: row.alarmSound,
        repeatSeconds: row.repeatSeconds,
      }))
    },
    forget: ({ parkId }) => void tasks.delete(parkId),
  }
}
