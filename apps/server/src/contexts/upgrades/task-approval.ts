/** Approval of forced tasks by a second person, who approves or declines them. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { canDecline, isSecondPerson } from './policy.ts'
import { admitRows, findOpen, findRows } from './task-devices-data.ts'
import { endUpgrades } from './task-ending.ts'
import type { Tasks } from './tasks-types.ts'
import * as data from './tasks-data.ts'

export interface TaskApproval extends Pick<Tasks, 'approve' | 'decline'> {
  /** Record the decision; the operation log names who asked for the task. */
  note(tx: Transaction, scope: Scope, actor: Actor, task: data.TaskRow, approval: 'given' | 'declined'): Promise<void>
}

const invalid = (path: string, rule: string): never => {
  throw new InvalidRequest([{ path, rule }])
}

/**
 * Return a task that waits for approval, locked until the transaction ends.
 * @throws NotFound; InvalidRequest if it does not wait
 */
async function lockPending(scope: Scope, tx: Transaction, id: string): Promise<data.TaskRow> {
  await data.lockTasks(scope, tx)
  const task = await data.lockTask(scope, tx, id)
  if (task === null) throw new NotFound()
  return canDecline(task) ? task : invalid('', 'approvalOver')
}

export function createTaskApproval(platform: Platform): TaskApproval {
  const note: TaskApproval['note'] = async (tx, scope, { operator }, { id, versionNumber, askedBy }, approval) => {
    await data.noteApproval(scope, tx, id, { approval, approvedBy: operator }, platform.clock.now())
    platform.audit.note({
      entity: 'upgradeTask',
      id,
      label: versionNumber,
      before: { approval: 'pending', askedBy },
      after: { approval, askedBy, approvedBy: operator },
    })
  }

  return {
    note,
    async approve(scope, actor, id) {
      return platform.transaction(async (tx) => {
        const task = await lockPending(scope, tx, id)
        if (!isSecondPerson(task, actor)) invalid('', 'approvalOwn')
        const open = await findRows(scope, tx, id, 'inProgress')
        const deviceIds = open.flatMap(({ deviceId }) => deviceId ?? [])
        const superseded = await findOpen(scope, tx, deviceIds, task.kind)
        await endUpgrades(scope, tx, superseded, { state: 'failed', reason: 'superseded' }, platform.clock)
        await admitRows(
          scope,
          tx,
          open.map((row) => row.id),
          platform.clock.now(),
        )
        await note(tx, scope, actor, task, 'given')
        return open.length
      })
    },
    async decline(scope, actor, id) {
      return platform.transaction(async (tx) => {
        const task = await lockPending(scope, tx, id)
        const open = await findRows(scope, tx, id, 'inProgress')
        await endUpgrades(scope, tx, open, { state: 'failed', reason: 'declined' }, platform.clock)
        await note(tx, scope, actor, task, 'declined')
        return open.length
      })
    },
  }
}
