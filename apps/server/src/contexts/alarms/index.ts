/** Which pop-ups a user wants (the header's dialog); the alarms themselves come with module M09. */
import { defineContext, type Context } from '../../platform/context.ts'
import { alarmsHandlers } from './calls.ts'
import { alarmsMigrations } from './schema.ts'
import { createAlarmsService } from './service.ts'

export const alarmsContext = defineContext({
  name: 'alarms',
  uses: {},
  create(platform): Context {
    return { calls: alarmsHandlers(createAlarmsService(platform)), migrations: alarmsMigrations }
  },
})
