/** Persons and their groups. */
import type { Context, Platform } from '../../platform/context.ts'
import type { FacesService } from '../faces/index.ts'
import { admittedGroups, admittedPeople } from './admission.ts'
import { peopleHandlers } from './calls.ts'
import { customerHandlers } from './customers.ts'
import { contactHandlers } from './contacts-calls.ts'
import { createContactService } from './contacts.ts'
import { exportHandlers } from './export.ts'
import { createFormService, formHandlers } from './form.ts'
import { groupHandlers } from './groups-calls.ts'
import { createGroupService, type GroupService } from './groups.ts'
import type { PeopleNeeds } from './needs.ts'
import { peopleMigrations } from './schema.ts'
import { searchHandlers } from './search.ts'
import { createPeopleService, type PeopleService } from './service.ts'
import { specialHandlers } from './special.ts'

export { cardKeyOf, writtenCard } from './card.ts'
export { cardEndingOf, cardIndexOf, wantedCard } from './details.ts'
export type { PersonCredentials } from './credentials.ts'
export { groupDeleted, groupsChanged, personsChanged, personsDeleted } from './events.ts'
export type { GroupService } from './groups.ts'
export { createPersonErasure, type ErasedPerson, type PersonErasure } from './erasure.ts'
export type { NumberKeys, PersonLookup, PersonNumbers } from './lookup.ts'
export type { NotedConsent } from './needs.ts'
export type { PeopleService, PersonFacts, PersonFields } from './service.ts'
export type { Unseen } from './data.ts'

export interface PeopleContext extends Context {
  service: PeopleService
  groups: GroupService
}

export function createPeople(platform: Platform, faces: FacesService, needs: PeopleNeeds): PeopleContext {
  const groups = admittedGroups(createGroupService(platform, needs), needs)
  const form = createFormService(platform, needs.settings)
  const contacts = createContactService(platform, faces)
  const service = admittedPeople(createPeopleService(platform, faces, { groups, form, contacts }, needs), needs)
  return {
    name: 'people',
    service,
    groups,
    calls: [
      ...peopleHandlers(service, needs),
      ...groupHandlers(groups, needs),
      ...customerHandlers(platform),
      ...formHandlers(form),
      ...contactHandlers(service, contacts),
      ...specialHandlers(service, groups),
      ...searchHandlers(platform, faces),
      ...exportHandlers(platform, groups, (scope) => form.read(scope).fields),
    ],
    migrations: peopleMigrations,
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
