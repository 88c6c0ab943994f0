/** Persons and their groups. */
import type { Context, Platform } from '../../platform/context.ts'
import type { FacesService } from '../faces/index.ts'
import { peopleHandlers } from './calls.ts'
import { createGroupService, type GroupService } from './groups.ts'
import { peopleMigrations } from './schema.ts'
import { createPeopleService, type PeopleService } from './service.ts'

export { groupDeleted, groupsChanged, personsChanged, personsDeleted } from './events.ts'
export type { GroupService } from './groups.ts'
export type { PeopleService, PersonFacts } from './service.ts'

export interface PeopleContext extends Context {
  service: PeopleService
  groups: GroupService
}

export function createPeople(platform: Platform, faces: FacesService): PeopleContext {
  const groups = createGroupService(platform)
  const service = createPeopleService(platform, faces, groups)
  return {
    name: 'people',
    service,
    groups,
    calls: peopleHandlers(service, groups),
    migrations: peopleMigrations,
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
