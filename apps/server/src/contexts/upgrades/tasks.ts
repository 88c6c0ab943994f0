/** Upgrade tasks: previewed, created, listed, approved, retried, cancelled. */
import type { Platform } from '../../platform/context.ts'
import type { DevicesService } from '../devices/index.ts'
import { createTaskAdding } from './task-adding.ts'
import { createTaskApproval } from './task-approval.ts'
import { createTaskCancelling } from './task-cancelling.ts'
import { createTaskQueries } from './task-queries.ts'
import { createTaskRetrying } from './task-retrying.ts'
import { createTaskTargets } from './task-targets.ts'
import type { Tasks } from './tasks-types.ts'

export function createTasks(platform: Platform, devices: DevicesService): Tasks {
  const targets = createTaskTargets(platform, devices)
  const approval = createTaskApproval(platform)
  return {
    ...createTaskQueries(platform, devices),
    running: targets.running,
    reach: targets.reach,
    add: createTaskAdding(platform, targets),
    approve: approval.approve,
    decline: approval.decline,
    retry: createTaskRetrying(platform, devices),
    ...createTaskCancelling(platform, approval),
  }
}
