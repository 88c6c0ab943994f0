/** Handlers of the calls on monitoring tasks. */
import { monitoringTaskCalls as calls } from '@gatehouse/contract/surveillance/tasks'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { MonitoringTasks } from './tasks-types.ts'

export const taskHandlers = (tasks: MonitoringTasks): MountedCall[] => [
  handler(calls.find, ({ scope, body }) => tasks.list(scope, body)),
  handler(calls.read, ({ scope, query: { id } }) => tasks.read(scope, id)),
  handler(calls.add, async ({ scope, body }) => ({ id: await tasks.create(scope, body) })),
  handler(calls.updateBase, ({ scope, body: { id, version, ...change } }) => tasks.change(scope, id, version, change)),
  handler(calls.updateConfig, ({ scope, body: { id, version, ...change } }) => tasks.change(scope, id, version, change)),
  handler(calls.delete, ({ scope, query: { id } }) => tasks.delete(scope, id)),
]
