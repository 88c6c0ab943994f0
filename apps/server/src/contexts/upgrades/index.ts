/** Versions of device software and their distribution: the context as others see it. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { devicesContext, deviceStatusChanged, devicesDeleted, deviceLine } from '../devices/index.ts'
import { upgradeHandlers } from './calls.ts'
import { upgradesMigrations } from './schema.ts'
import { createUpgradesService, type UpgradesNeeds } from './service.ts'
import { deleteOfPark } from './tasks-data.ts'
import { lookAgain } from './turns-data.ts'

export const upgradesContext = defineContext({
  name: 'upgrades',
  uses: { devices: devicesContext },
  create(platform, { devices }): Context {
    const needs: UpgradesNeeds = { devices: devices.service, commands: () => platform.extensions.one(deviceLine) }
    const db = platform.db
    const service = createUpgradesService(platform, needs)
    const { tasks, runner } = service
    platform.events.consume({
      name: 'upgrades.devices',
      mode: 'once',
      handlers: [
        on(deviceStatusChanged, async ({ parkId, payload }) => {
          if (await lookAgain({ parkId }, db, payload.deviceIds, platform.clock.now())) runner.soon()
        }),
        on(devicesDeleted, ({ parkId, payload }) => tasks.forget({ parkId }, payload.deviceIds)),
      ],
    })
    return {
      calls: upgradeHandlers(service),
      migrations: upgradesMigrations,
      start: async () => runner.start(),
      stop: () => runner.stop(),
      erasePark: async (tx, scope) => ({ upgradeTasks: await deleteOfPark(scope, tx) }),
    }
  },
})
