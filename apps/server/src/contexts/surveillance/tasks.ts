/** Adds, changes and deletes monitoring tasks. */
import { isDeepStrictEqual } from 'node:util'
import { taskEnabled } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { SurveillanceDependencies } from './dependencies.ts'
import { monitoringTasksChanged } from './events.ts'
import { assertMayChange, taskAbilities } from './policy.ts'
import { createClashCheck } from './clash-check.ts'
import { createTaskMembers, distinct } from './task-members.ts'
import { createTaskPresentation, existingTask } from './task-presentation.ts'
import { refuseTaskIssues } from './task-validation.ts'
import * as data from './tasks-data.ts'
import type { MonitoringTasks, TaskChange, TaskFields } from './tasks-types.ts'

type Task = data.TaskValues & data.TaskMembers

const valuesIn = ({ deviceIds: _devices, personGroupIds: _groups, ...values }: Task): data.TaskValues => values

const taskOf = ({ customPrecision = null, similarityThreshold = null, ...fields }: TaskFields): Task => ({
  ...fields,
  customPrecision,
  similarityThreshold,
  deviceIds: distinct(fields.deviceIds),
  personGroupIds: distinct(fields.personGroupIds),
})

/** Members of a task are checked where they are sent: devices and groups that were deleted refuse no other change. */
const draftOf = ({ deviceIds, personGroupIds, periods, ...task }: Task, sent: TaskChange) => ({
  ...task,
  ...(sent.deviceIds !== undefined && { deviceIds }),
  ...(sent.personGroupIds !== undefined && { personGroupIds }),
  ...(sent.periods !== undefined && { periods }),
})

/** @throws Refusal 500002 where a task has the name already, the error itself otherwise */
function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) === 'monitoring_task_name') refuse(500002, 'name')
  throw error
}

/**
 * @param forget drops what this node has in memory of the park's tasks: its own changes count at once
 */
export function createMonitoringTasks(
  platform: Platform,
  { devices, groups, faces }: SurveillanceDependencies,
  forget: (scope: Scope) => void,
): MonitoringTasks {
  const db = platform.db
  const members = createTaskMembers({ devices, groups })
  const assertNoClash = createClashCheck(platform, { devices, groups })

  const announce = (tx: Transaction, scope: Scope, taskIds: string[]) =>
    platform.events.announce(tx, monitoringTasksChanged, scope.parkId, { taskIds })

  /** Run a change of the park's tasks, which no other change can cross. */
  async function changing<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await platform
      .transaction(async (tx) => {
        await data.lockTasks(scope, tx)
        return work(tx)
      })
      .catch(refuseTakenName)
    forget(scope)
    return result
  }

  /** Return a task for the operation log. */
  async function logged(tx: Transaction, scope: Scope, task: Task): Promise<Record<string, unknown>> {
    return { ...valuesIn(task), enabled: task.enabled === taskEnabled.enabled, ...(await members.logged(scope, tx, task)) }
  }

  async function stored(tx: Transaction, scope: Scope, row: data.TaskRow): Promise<Task> {
    const { id, version: _version, updatedAt: _updatedAt, ...values } = row
    return { ...values, ...(await data.findMembers(scope, tx, [id])).get(id)! }
  }

  return {
    names: (scope) => data.listNames(scope, db),
    ...createTaskPresentation(platform, { devices, faces }, members),
    async create(scope, fields) {
      const task = taskOf(fields)
      refuseTaskIssues(draftOf(task, fields))
      await members.assert(scope, task)
      const id = newId()
      await changing(scope, async (tx) => {
        await assertNoClash(tx, scope, id, task, 'deviceIds')
        await data.insertTask(scope, tx, id, valuesIn(task), platform.clock.now())
        await data.putMembers(scope, tx, id, task)
        platform.audit.note({ entity: 'monitoringTask', id, label: task.name, after: await logged(tx, scope, task) })
        await announce(tx, scope, [id])
      })
      return id
    },
    async change(scope, id, version, sent) {
      await existingTask(scope, db, id)
      await members.assert(scope, sent)
      await changing(scope, async (tx) => {
        const row = await existingTask(scope, tx, id)
        const now = platform.clock.now()
        const before = await stored(tx, scope, row)
        const task: Task = {
          ...leftAsItWas(before, { ...sent, deviceIds: undefined, personGroupIds: undefined }),
          ...(await members.changed(tx, scope, before, {
            ...(sent.deviceIds !== undefined && { deviceIds: sent.deviceIds }),
            ...(sent.personGroupIds !== undefined && { personGroupIds: sent.personGroupIds }),
          })),
        }
        const changesOthers = !isDeepStrictEqual({ ...task, enabled: before.enabled }, before)
        assertMayChange(row, { enabled: sent.enabled, changesOthers }, now)
        refuseTaskIssues(draftOf(task, sent))
        await assertNoClash(
          tx,
          scope,
          id,
          task,
          sent.deviceIds !== undefined ? 'deviceIds' : sent.enabled !== undefined ? 'enabled' : 'endTime',
        )
        if (!(await data.updateTask(scope, tx, { id: row.id, version: version ?? row.version }, valuesIn(task), now)))
          throw new Conflict(['version'])
        await data.putMembers(scope, tx, row.id, task)
        const [loggedBefore, after] = [await logged(tx, scope, before), await logged(tx, scope, task)]
        platform.audit.note({ entity: 'monitoringTask', id: row.id, label: task.name, before: loggedBefore, after })
        await announce(tx, scope, [row.id])
      })
    },
    async delete(scope, id) {
      await changing(scope, async (tx) => {
        const row = await existingTask(scope, tx, id)
        if (!taskAbilities(row, platform.clock.now()).delete) refuse(500003)
        platform.audit.note({
          entity: 'monitoringTask',
          id: row.id,
          label: row.name,
          before: await logged(tx, scope, await stored(tx, scope, row)),
        })
        await data.deleteTask(scope, tx, row.id)
        await announce(tx, scope, [row.id])
      })
    },
    watches: (tx, scope, groupId) => data.isGroupNamed(scope, tx, groupId),
    async forgetDevices(scope, deviceIds) {
      await platform.transaction(async (tx) => {
        const taskIds = await data.removeDevices(scope, tx, deviceIds)
        if (taskIds.length > 0) await announce(tx, scope, taskIds)
      })
    },
    async forgetGroup(scope, groupId) {
      await platform.transaction(async (tx) => {
        const taskIds = await data.removeGroup(scope, tx, groupId)
        if (taskIds.length > 0) await announce(tx, scope, taskIds)
      })
    },
  }
}
