/** Monitoring tasks as they are answered. */
import { pageOf } from '@gatehouse/contract'
import { scoreOfTask } from '@gatehouse/contract/faces/precision'
import { taskStateAt } from '@gatehouse/contract/surveillance/task-rules'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { SurveillanceDependencies } from './dependencies.ts'
import { taskAbilities } from './policy.ts'
import type { MembersOfTasks } from './task-members.ts'
import * as data from './tasks-data.ts'
import type { MonitoringTasks } from './tasks-types.ts'

/** Return a task. @throws Refusal 500001 */
export async function existingTask(scope: Scope, db: Database, id: string): Promise<data.TaskRow> {
  const row = isUuid(id) ? await data.findTask(scope, db, id) : undefined
  if (row === undefined) refuse(500001)
  return row
}

export function createTaskPresentation(
  platform: Platform,
  { devices, faces }: Pick<SurveillanceDependencies, 'devices' | 'faces'>,
  members: Pick<MembersOfTasks, 'named'>,
): Pick<MonitoringTasks, 'list' | 'read'> {
  const db = platform.db

  const changing = (row: data.TaskRow, now: number) => ({ status: taskStateAt(row, now), can: taskAbilities(row, now) })

  const scoreOf = async (scope: Scope, row: data.TaskRow): Promise<number | null> =>
    seesWatchList(scope) ? scoreOfTask(row, (await faces.thresholdsOf(scope)).watchList) : null

  return {
    async list(scope, { name, status, deviceId, ...query }) {
      const paging = pageOf(query)
      if (deviceId !== undefined && (await devices.names(scope, [deviceId])).length === 0) return { total: 0, content: [], ...paging }
      const now = platform.clock.now()
      const { content, total } = await data.listTasks(scope, db, { name, status, deviceId, now, ...paging })
      const membersOf = await data.findMembers(
        scope,
        db,
        content.map(({ id }) => id),
      )
      const named = await members.named(scope, membersOf.values())
      const rows = content.map(({ periods: _, ...row }) => {
        const { devices: seenDevices, personGroups } = named(membersOf.get(row.id)!)
        return { ...row, ...changing({ ...row, periods: [] }, now), deviceCount: seenDevices.length, personGroupCount: personGroups.length }
      })
      return { total, content: rows, ...paging }
    },
    async read(scope, id) {
      const row = await existingTask(scope, db, id)
      const own = (await data.findMembers(scope, db, [row.id])).get(row.id)!
      const named = (await members.named(scope, [own]))(own)
      return {
        ...row,
        ...changing(row, platform.clock.now()),
        ...named,
        deviceIds: named.devices.map((device) => device.id),
        personGroupIds: named.personGroups.map((group) => group.id),
        score: await scoreOf(scope, row),
      }
    },
  }
}
