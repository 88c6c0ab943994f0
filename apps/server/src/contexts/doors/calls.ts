/** Handlers of remote door control. */
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { DoorsService } from './service-types.ts'

export const doorHandlers = (service: DoorsService): MountedCall[] => [
  handler(doorCalls.controlDoor, ({ scope, session, body }) => service.control(scope, session, body.deviceId, body.operateType)),
  handler(doorCalls.controlMany, async ({ scope, session, body }) => ({
    results: await service.controlMany(scope, session, body.deviceIds, body.operateType),
  })),
  handler(doorCalls.states, ({ scope, query }) => service.states(scope, query.deviceIds ?? null)),
  handler(doorCalls.requests, ({ scope, query }) => service.requests(scope, query)),
  handler(doorCalls.setting, ({ scope, query }) => service.setting(scope, query.deviceId)),
  handler(doorCalls.saveSetting, ({ scope, body: { version, ...setting } }) => service.saveSetting(scope, setting, version)),
]
