/** Tasks and their devices in the form in which calls return them. */
import type { UpgradeDevice, UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import type { UpgradeApproval, UpgradeState } from '@gatehouse/contract/upgrades/states'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { deviceAbilities, isSecondPerson, taskAbilities } from './policy.ts'
import { listDevices } from './task-devices-data.ts'
import type { Tasks } from './tasks-types.ts'
import * as data from './tasks-data.ts'

/** @throws NotFound */
export async function existingTask(scope: Scope, db: Database, id: string): Promise<data.TaskRow> {
  const row = await data.findTask(scope, db, id)
  if (row === undefined) throw new NotFound()
  return row
}

export function createTaskQueries(platform: Platform, devices: DevicesService): Pick<Tasks, 'list' | 'read' | 'devices'> {
  const db = platform.db

  async function presented(scope: Scope, actor: Actor, rows: readonly data.TaskRow[]): Promise<UpgradeTask[]> {
    const counted = Map.groupBy(
      await data.countDevices(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      ({ taskId }) => taskId,
    )
    return rows.map((task) => {
      const { sha256: _, apkName: _name, size: _size, askedById: _asked, updateType: type, ...row } = task
      const states = counted.get(row.id) ?? []
      const total = states.reduce((sum, { count }) => sum + count, 0)
      // A device that has ended counts as done, whatever its progress was.
      const counts = Object.fromEntries(states.map(({ state, count }) => [state, count])) as UpgradeTask['counts']
      const done = states.reduce((sum, { state, count, progress }) => sum + (state === 'inProgress' ? Number(progress) : 100 * count), 0)
      return {
        ...row,
        kind: row.kind as UpgradeKind,
        type: type as UpgradeTask['type'],
        approval: row.approval as UpgradeApproval,
        own: !isSecondPerson(task, actor),
        status: row.status as UpgradeTask['status'],
        progress: total === 0 ? 100 : Math.floor(done / total),
        devices: total,
        counts,
        can: taskAbilities(task, counts, actor),
      }
    })
  }

  return {
    async list(scope, actor, query) {
      const { content, total } = await data.listTasks(scope, db, query)
      return { total, content: await presented(scope, actor, content), page: query.page, size: query.size }
    },
    read: async (scope, actor, id) => (await presented(scope, actor, [await existingTask(scope, db, id)]))[0]!,
    async devices(scope, id, query) {
      const task = await existingTask(scope, db, id)
      const { content, total } = await listDevices(scope, db, id, query)
      const online = new Set(
        (
          await devices.some(
            scope,
            content.flatMap(({ deviceId }) => deviceId ?? []),
          )
        ).flatMap((device) => (device.onlineStatus === 1 ? [device.id] : [])),
      )
      const shown = content.map(({ taskId: _, ...row }) => ({
        ...row,
        state: row.state as UpgradeState,
        step: row.step as UpgradeDevice['step'],
        online: row.deviceId !== null && online.has(row.deviceId),
        can: deviceAbilities(task, row),
      }))
      return { total, content: shown, page: query.page, size: query.size }
    },
  }
}
