/** Handlers of remote door control. */
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { DoorsService } from './service.ts'

export const doorHandlers = (service: DoorsService): MountedCall[] => [
  handler(doorCalls.controlDoor, ({ session, body }) => service.control(session, body.deviceId, body.operateType)),
  handler(doorCalls.controlMany, async ({ session, body }) => ({
    results: await service.controlMany(session, body.deviceIds, body.operateType),
  })),
  handler(doorCalls.states, ({ scope, query }) => service.states(scope, query.deviceIds ?? null)),
  handler(doorCalls.requests, ({ scope, query }) => service.requests(scope, query)),
  handler(doorCalls.setting, ({ scope, query }) => service.setting(scope, query.deviceId)),
  handler(doorCalls.saveSetting, ({ scope, body: { version, ...setting } }) => service.saveSetting(scope, setting, version)),
]
