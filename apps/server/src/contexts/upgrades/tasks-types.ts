/** Operations on upgrade tasks. */
import type { RunningVersion, UpgradeDevice, UpgradeReach, UpgradeTargets, UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import type { TaskQuery } from './tasks-data.ts'
import type { TaskDeviceQuery } from './task-devices-data.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'

export type VersionTargets = UpgradeTargets & { versionId: string }
export interface Tasks {
  list(scope: Scope, actor: Actor, query: TaskQuery): Promise<{ total: number; content: UpgradeTask[]; page: number; size: number }>
  read(scope: Scope, actor: Actor, id: string): Promise<UpgradeTask>
  devices(
    scope: Scope,
    id: string,
    query: TaskDeviceQuery,
  ): Promise<{ total: number; content: UpgradeDevice[]; page: number; size: number }>
  running(scope: Scope): Promise<RunningVersion[]>
  reach(scope: Scope, fields: VersionTargets): Promise<UpgradeReach>
  /**
   * Create a task. Without named devices it is for all devices of the park. A forced one waits until a second person approves.
   * @param fields `type` absent: that of the version
   * @throws InvalidRequest if all devices are terminals and the version is not signed
   */
  add(scope: Scope, actor: Actor, fields: VersionTargets & { type?: UpgradeTask['type'] | undefined }): Promise<string>
  /** Approve a task; return how many devices start. @throws InvalidRequest if it does not wait, or the caller asked for it */
  approve(scope: Scope, actor: Actor, id: string): Promise<number>
  /** Decline a task; return how many devices stay unchanged. @throws InvalidRequest if it does not wait */
  decline(scope: Scope, actor: Actor, id: string): Promise<number>
  /** Retry failed devices; return how many start again, or wait for a second person to approve that. */
  retry(scope: Scope, actor: Actor, id: string, rowId: string | undefined): Promise<number>
  /** Cancel a task or one device of it; return how many devices stay unchanged. */
  cancel(scope: Scope, actor: Actor, id: string, rowId: string | undefined): Promise<number>
  /** End the upgrades in progress at devices that were deleted. */
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
}
