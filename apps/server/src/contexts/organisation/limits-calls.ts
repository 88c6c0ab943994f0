/** Handlers of device limits. */
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { DeviceLimitService } from './limits.ts'

export const limitHandlers = (limits: DeviceLimitService): MountedCall[] => [
  handler(deviceLimitCalls.list, ({ body }) => limits.list(body)),
  handler(deviceLimitCalls.add, async ({ body }) => ({ id: await limits.add(body) })),
  handler(deviceLimitCalls.update, async ({ body: { id, version, ...change } }) => {
    await limits.change(id, change, version)
    return { id }
  }),
  handler(deviceLimitCalls.remove, async ({ query: { id } }) => {
    await limits.remove(id)
    return { id }
  }),
]
