/** Linked parks and associated persons. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { peopleContext, groupDeleted, personsDeleted } from '../people/index.ts'
import { facesContext } from '../faces/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { relationHandlers } from './calls.ts'
import { relationsMigrations } from './schema.ts'
import { createRelationService } from './service.ts'
import type { RelationDependencies } from './service-types.ts'
import { createSharing, type Sharing } from './sharing.ts'

export { parkLinksChanged } from './events.ts'

export type { GuestChoice, ParkLink, Sharing } from './sharing.ts'

export interface RelationsContext extends Context {
  sharing: Sharing
}

export const relationsContext = defineContext({
  name: 'relations',
  uses: { people: peopleContext, faces: facesContext, organisation: organisationContext },
  create(platform, { people, organisation }): RelationsContext {
    const dependencies: RelationDependencies = { people: people.service, groups: people.groups, organisation: organisation.service }
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
      sharing: createSharing(platform, dependencies),
      calls: relationHandlers(service),
      migrations: relationsMigrations,
      erasePark: (tx, scope) => service.erasePark(tx, scope),
    }
  },
})
