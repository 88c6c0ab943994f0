/** Remote control of doors: the context as others see it. */
import { DOOR_REQUESTS_KEPT } from '@gatehouse/contract/doors/calls'
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { devicesContext, devicesDeleted, doorStates } from '../devices/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { doorControl } from './extension-points.ts'
import { doorHandlers } from './calls.ts'
import { doorsMigrations } from './schema.ts'
import { createDoorsService } from './service.ts'
import type { DoorsService, DoorsNeeds } from './service-types.ts'

export { doorControl } from './extension-points.ts'

export { doorsChanged } from './events.ts'

export type { DoorAnswer, DoorControl } from './door-control.ts'
export type { DoorsService } from './service-types.ts'

const DAY = 86_400_000

export interface DoorsContext extends Context {
  service: DoorsService
}

export const doorsContext = defineContext({
  name: 'doors',
  uses: { devices: devicesContext, organisation: organisationContext },
  create(platform, { devices, organisation }): DoorsContext {
    const needs: DoorsNeeds = {
      devices: devices.service,
      settings: organisation.settings,
      door: () => platform.extensions.one(doorControl),
    }
    const service = createDoorsService(platform, needs)
    const upkeep = () => service.upkeep(platform.clock.now() - DOOR_REQUESTS_KEPT * DAY)
    platform.events.consume({
      name: 'doors.forget',
      mode: 'once',
      handlers: [on(devicesDeleted, ({ parkId, payload }) => service.forget({ parkId }, payload.deviceIds))],
    })
    return {
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
      extensions: [
        extend(
          doorStates,
          async (scope, ids) => new Map((await service.states(scope, ids)).map(({ deviceId, state }) => [deviceId, state])),
        ),
      ],
    }
  },
})
