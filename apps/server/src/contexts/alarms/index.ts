/** Which pop-ups a user wants (the header's dialog); the alarms themselves come with module M09. */
import type { Context, Platform } from '../../platform/context.ts'
import { alarmsHandlers } from './calls.ts'
import { alarmsMigrations } from './schema.ts'
import { createAlarmsService } from './service.ts'

export function createAlarms(platform: Platform): Context {
  return { name: 'alarms', calls: alarmsHandlers(createAlarmsService(platform)), migrations: alarmsMigrations }
}
