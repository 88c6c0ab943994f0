/** Ends requested upgrades: they are cancelled, or their devices are deleted. */
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { canCancel } from './policy.ts'
import type { TaskApproval } from './task-approval.ts'
import { findOpen, findRows } from './task-devices-data.ts'
import { endUpgrades } from './task-ending.ts'
import type { Tasks } from './tasks-types.ts'
import * as data from './tasks-data.ts'

export function createTaskCancelling(platform: Platform, approval: Pick<TaskApproval, 'note'>): Pick<Tasks, 'cancel' | 'forget'> {
  return {
    async cancel(scope, actor, id, rowId) {
      return platform.transaction(async (tx) => {
        const task = await data.lockTask(scope, tx, id)
        if (task === null) throw new NotFound()
        const open = await findRows(scope, tx, id, 'inProgress', rowId)
        if (rowId !== undefined && open.length === 0) throw new NotFound()
        // A device that installs cannot be stopped.
        const ended = open.filter(({ step }) => canCancel({ state: 'inProgress', step }))
        await endUpgrades(scope, tx, ended, { state: 'failed', reason: 'cancelled' }, platform.clock)
        platform.audit.note({
          entity: 'upgradeTask',
          id,
          label: task.versionNumber,
          before: { cancelled: 0 },
          after: { cancelled: ended.length },
        })
        // With no device left to approve for, the task no longer waits for approval.
        if (task.approval === 'pending' && ended.length === open.length && rowId === undefined)
          await approval.note(tx, scope, actor, task, 'declined')
        return ended.length
      })
    },
    async forget(scope, deviceIds) {
      await platform.transaction(async (tx) => {
        const open = await findOpen(scope, tx, deviceIds)
        await endUpgrades(scope, tx, open, { state: 'notRegistered', reason: null }, platform.clock)
      })
    },
  }
}
