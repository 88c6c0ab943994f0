/** Interface of monitoring tasks. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { MonitoringTask, monitoringTaskCalls, monitoringTaskFields } from '@gatehouse/contract/surveillance/tasks'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export type TaskFields = OutputOf<typeof monitoringTaskFields>
export type TaskChange = { [Field in keyof TaskFields]?: TaskFields[Field] | undefined }
export type TaskQuery = OutputOf<(typeof monitoringTaskCalls.find)['body']>

export interface MonitoringTasks {
  list(scope: Scope, query: TaskQuery): Promise<DataOf<typeof monitoringTaskCalls.find>>
  /** Return the tasks that look out at a visible device, by name. */
  names(scope: Scope): Promise<{ id: string; name: string }[]>
  /** @throws Refusal 500001 */
  read(scope: Scope, id: string): Promise<MonitoringTask>
  /** @throws Refusal 500002, 500006–500011, 900007, 300203; InvalidRequest for devices that cannot be chosen */
  create(scope: Scope, fields: TaskFields): Promise<string>
  /**
   * Change what the fields say. Devices and groups that do not exist for the caller stay.
   * @throws as create; Refusal 500001, 500004, 500014; Conflict where it is not at `version` any more
   */
  change(scope: Scope, id: string, version: number | undefined, change: TaskChange): Promise<void>
  /** @throws Refusal 500001, 500003 */
  delete(scope: Scope, id: string): Promise<void>
  /** Whether a task names the group. */
  watches(tx: Transaction, scope: Scope, groupId: string): Promise<boolean>
  /** Take devices out of all tasks. */
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
  /** Take a deleted group out of all tasks: one may have been saved with it while it was deleted. */
  forgetGroup(scope: Scope, groupId: string): Promise<void>
}
