/** Refuses a task that would alarm about the same passers-by as another one of its park. */
import { taskEnabled } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { SurveillanceDependencies } from './dependencies.ts'
import { clashAt, type ClashingTask } from './task-clashes.ts'
import * as data from './tasks-data.ts'

/**
 * Check a task against all others of the park, whoever asks; the caller holds the lock on the tasks of the park.
 * @param path the field that a refusal belongs to
 * @throws Refusal 500010 with the names of the other task and of the device
 */
export type AssertNoClash = (
  tx: Transaction,
  scope: Scope,
  id: string,
  task: data.TaskValues & data.TaskMembers,
  path: string,
) => Promise<void>

export function createClashCheck(
  platform: Pick<Platform, 'clock'>,
  { devices, groups }: Pick<SurveillanceDependencies, 'devices' | 'groups'>,
): AssertNoClash {
  return async (tx, scope, id, task, path) => {
    const now = platform.clock.now()
    if (task.enabled === taskEnabled.disabled || task.endTime <= now) return
    const all = seeingAll(scope)
    const others = (await data.findUnfinished(scope, tx, now)).filter((other) => other.id !== id)
    const membersOf = await data.findMembers(
      scope,
      tx,
      others.map((other) => other.id),
    )
    const clashing = async (values: data.TaskValues, { deviceIds, personGroupIds }: data.TaskMembers): Promise<ClashingTask> => ({
      ...values,
      deviceIds,
      groupIds: new Set(await groups.withDescendants(all, personGroupIds, tx)),
    })
    const own = await clashing(task, task)
    for (const other of others) {
      const deviceId = clashAt(own, await clashing(other, membersOf.get(other.id)!))
      if (deviceId === null) continue
      const [device] = await devices.names(all, [deviceId], tx)
      const params = { task: other.name, device: device?.name ?? '' }
      throw new Refusal(500010, { fields: [{ path, rule: 'watchedByTask', params }] })
    }
  }
}
