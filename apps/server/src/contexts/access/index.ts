/** Strategies, time rules and access records. */
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events.ts'
import { groupDeleted, personsDeleted } from '../people/index.ts'
import { accessHandlers } from './calls.ts'
import type { AccessDependencies } from './dependencies.ts'
import { accessMigrations } from './schema.ts'
import { createAccessService, type AccessService } from './service.ts'

export { recordPictured, recordsReceived, strategiesChanged, timeRulesChanged } from './events.ts'
export type { AccessDependencies, AccessDevices } from './dependencies.ts'
export type { Entitlements } from './entitlements.ts'
export type { AccessService } from './service.ts'

export interface AccessContext extends Context {
  service: AccessService
}

export function createAccess(platform: Platform, needs: AccessDependencies): AccessContext {
  const service = createAccessService(platform, needs)
  const { strategies } = service
  platform.events.consume({
    name: 'access.members',
    mode: 'once',
    handlers: [
      on(personsDeleted, ({ parkId, payload }) => strategies.forget({ parkId }, 'person', payload.personIds)),
      on(groupDeleted, ({ parkId, payload }) => strategies.forget({ parkId }, 'personGroup', [payload.groupId])),
      on(needs.deviceEvents.devicesDeleted, ({ parkId, payload }) => strategies.forget({ parkId }, 'device', payload.deviceIds)),
    ],
  })
  return {
    name: 'access',
    service,
    calls: accessHandlers(service),
    migrations: accessMigrations,
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
