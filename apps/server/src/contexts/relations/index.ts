/** Linked parks and associated persons. */
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { groupDeleted, personsDeleted } from '../people/index.ts'
import { relationHandlers } from './calls.ts'
import { relationsMigrations } from './schema.ts'
import { createRelationService, type RelationDependencies } from './service.ts'
import { createSharing, type Sharing } from './sharing.ts'

export { parkLinksChanged } from './events.ts'
export type { GuestChoice, ParkLink, Sharing } from './sharing.ts'

export interface RelationsContext extends Context {
  sharing: Sharing
}

export function createRelations(platform: Platform, dependencies: RelationDependencies): RelationsContext {
  const service = createRelationService(platform, dependencies)
  platform.events.consume({
    name: 'relations.members',
    mode: 'once',
    handlers: [
      on(personsDeleted, ({ parkId, payload }) => service.forget({ parkId }, 'person', payload.personIds)),
      on(groupDeleted, ({ parkId, payload }) => service.forget({ parkId }, 'personGroup', [payload.groupId])),
    ],
  })
  return {
    name: 'relations',
    sharing: createSharing(platform, dependencies),
    calls: relationHandlers(service),
    migrations: relationsMigrations,
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
