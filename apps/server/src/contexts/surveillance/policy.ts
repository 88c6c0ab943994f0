/** What may be done with a monitoring task in its state, and shown of its alarms, beyond the permission of the call. */
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { taskEnabled } from '@gatehouse/contract/enums'
import { taskStateAt } from '@gatehouse/contract/surveillance/task-rules'
import { refuse } from '../../platform/http/refusal.ts'
import { limitedSession } from '../../platform/session/device-limits.ts'
import type { Scope, Session } from '../../platform/session/session.ts'

interface Task {
  enabled: number
  startTime: number
  endTime: number
}

/** Return what may be done with a task at a moment. */
export function taskAbilities(task: Task, moment: number) {
  const state = taskStateAt(task, moment)
  const isActive = state === 'enabled' || state === 'inControl'
  return {
    change: isActive,
    enable: state === 'disabled' && moment < task.endTime,
    disable: isActive,
    delete: state !== 'inControl',
  }
}

/**
 * Refuse a change that the state of the task does not take.
 * @param change.enabled the switch as it is sent; absent: it stays
 * @param change.changesOthers whether anything besides the switch changes
 * @throws Refusal 500004, 500014
 */
export function assertMayChange(
  task: Task,
  { enabled, changesOthers }: { enabled?: number | undefined; changesOthers: boolean },
  moment: number,
): void {
  const { change, enable } = taskAbilities(task, moment)
  if (change) return
  if (changesOthers || enabled === undefined) refuse(500004)
  const isOff = task.enabled === taskEnabled.disabled
  if (!(isOff && enabled === taskEnabled.disabled) && !enable) refuse(500014, 'enabled')
}

/** Return the scope in which a session is shown what became of alarms, as by the calls that list them; null: none is shown. */
export const scopeOfAlarms = (session: Session): Scope | null =>
  session.permissions.has(faceAlarmCalls.list.permission) ? limitedSession(session, faceAlarmCalls.list).scope : null
