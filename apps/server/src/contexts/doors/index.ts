/** Remote control of doors: the context as others see it. */
import { DOOR_REQUESTS_KEPT } from '@gatehouse/contract/doors/calls'
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { devicesDeleted } from '../devices/index.ts'
import { doorHandlers } from './calls.ts'
import { doorsMigrations } from './schema.ts'
import { createDoorsService, type DoorsNeeds, type DoorsService } from './service.ts'

export { doorsChanged } from './events.ts'
export type { DoorAnswer, DoorControl } from './door-control.ts'
export type { DoorsService } from './service.ts'

const DAY = 86_400_000

export interface DoorsContext extends Context {
  service: DoorsService
}

export function createDoors(platform: Platform, needs: DoorsNeeds): DoorsContext {
  const service = createDoorsService(platform, needs)
  const upkeep = () => service.upkeep(platform.clock.now() - DOOR_REQUESTS_KEPT * DAY)
  platform.events.consume({
    name: 'doors.forget',
    mode: 'once',
    handlers: [on(devicesDeleted, ({ parkId, payload }) => service.forget({ parkId }, payload.deviceIds))],
  })
  return {
    name: 'doors',
    service,
    calls: doorHandlers(service),
    migrations: doorsMigrations,
    jobs: [
      {
        name: 'doors.dropOld',
        schedule: '*/5 * * * *',
        run: async () => ({ outcome: 'success', counts: { doorRequests: await upkeep() } }),
      },
    ],
    erasePark: (tx, scope) => service.erasePark(tx, scope),
    stop: () => service.stop(),
  }
}
