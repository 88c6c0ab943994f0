/** What may be done with upgrade tasks and with the devices in them, besides what a call's permission says. */
import type { UpgradeDevice, UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import type { Actor } from '../../platform/session/session.ts'
import type { TaskRow } from './tasks-data.ts'

type Device = Record<keyof Pick<UpgradeDevice, 'state' | 'step'>, string>

/** Return whether a task waits for a second person, who approves or declines it. */
export const canDecline = ({ approval }: Pick<TaskRow, 'approval'>): boolean => approval === 'pending'

/** Return whether the actor is another person than the one who asked for the task. */
export const isSecondPerson = ({ askedById }: Pick<TaskRow, 'askedById'>, { userId }: Pick<Actor, 'userId'>): boolean =>
  askedById !== userId

/** Return whether an upgrade can be cancelled: a device that installs cannot be stopped. */
export const canCancel = ({ state, step }: Device): boolean => state === 'inProgress' && step !== 'installing'

/** A device that waits for approval has not started; its task is declined as a whole. */
const hasStarted = ({ step }: Device): boolean => step !== 'approval'

/** Return what the actor may do with a task as a whole. */
export const taskAbilities = (task: TaskRow, counts: UpgradeTask['counts'], actor: Pick<Actor, 'userId'>): UpgradeTask['can'] => ({
  approve: canDecline(task) && isSecondPerson(task, actor),
  decline: canDecline(task),
  retry: task.versionId !== null && (counts.failed ?? 0) > 0,
  cancel: (counts.inProgress ?? 0) > 0,
})

/** Return what may be done with one device of a task; `versionId` null: the version is deleted, and nothing can be tried again. */
export const deviceAbilities = ({ versionId }: Pick<TaskRow, 'versionId'>, device: Device): UpgradeDevice['can'] => ({
  retry: versionId !== null && device.state === 'failed',
  cancel: canCancel(device) && hasStarted(device),
})
