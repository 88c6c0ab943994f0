/** Persons and their groups. */
import { defineContext, type Context } from '../../platform/context.ts'
import { facePersons, facesContext } from '../faces/index.ts'
import { organisationContext, personGroupNames } from '../organisation/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { inPark } from '../../platform/session/session.ts'
import { consentKeeper, groupWatches, personGuard, personSending, visitorStrategies } from './extension-points.ts'
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
import { createPeopleService } from './service.ts'
import type { PeopleService } from './service-types.ts'
import { specialHandlers } from './special.ts'

export { consentKeeper, groupWatches, personGuard, personSending, visitorStrategies, type VisitorStrategies } from './extension-points.ts'

export { cardKeyOf, writtenCard } from './card.ts'

export { cardEndingOf, cardIndexOf, cardQuery, phoneEndingOf, phoneIndexOf, phoneQuery } from './details.ts'
export type { PersonCredentials } from './credentials.ts'
export { PERSONS } from './reading.ts'
export { groupDeleted, groupsChanged, personsChanged, personsDeleted } from './events.ts'
export type { GroupService } from './groups.ts'
export { createPersonErasure, type ErasedPerson, type PersonErasure } from './erasure.ts'
export type { NumberKeys, PersonLookup, PersonNumbers } from './lookup.ts'
export type { NotedConsent } from './extension-points.ts'
export { canReadPersons, canSeeKind, VISITOR_KIND } from './policy.ts'
export type { PersonFacts } from './facts-types.ts'
export type { PersonFields } from './fields.ts'
export type { VisitorFields, VisitorPersons } from './visitor-types.ts'
export type { PeopleService } from './service-types.ts'
export type { Unseen } from './unseen-data.ts'

export interface PeopleContext extends Context {
  service: PeopleService
  groups: GroupService
}

export const peopleContext = defineContext({
  name: 'people',
  uses: { faces: facesContext, organisation: organisationContext },
  create(platform, { faces: { service: faces }, organisation }): PeopleContext {
    const needs: PeopleNeeds = {
      settings: organisation.settings,
      consentRequired: (scope) => platform.extensions.one(consentKeeper).required(scope),
      noteConsent: (tx, scope, personId, consent) => platform.extensions.one(consentKeeper).note(tx, scope, personId, consent),
      sendAgain: (scope, personIds) => platform.extensions.one(personSending)(scope, personIds),
      visitorStrategies: {
        assert: (scope, strategyIds) => platform.extensions.one(visitorStrategies).assert(scope, strategyIds),
        name: (tx, scope, personId, strategyIds) => platform.extensions.one(visitorStrategies).name(tx, scope, personId, strategyIds),
      },
      admitting: (scope, persons, field, work) => platform.extensions.one(personGuard).persons(scope, persons, field, work),
      admittingGroup: (scope, id, parentId, work) => platform.extensions.one(personGuard).group(scope, id, parentId, work),
      // The call has asked for the permission in the park it was made in: roles hold it in every park of the session's part of the tree.
      reach: async (session, parkId) =>
        organisation.service.parksBelow(session.organisationId).some(({ id }) => id === parkId) &&
        organisation.service.isOn(parkId, 'person.list')
          ? inPark(session.scope, parkId)
          : null,
      async isWatched(tx, scope, groupId) {
        for (const watches of platform.extensions.all(groupWatches)) if (await watches(tx, scope, groupId)) return true
        return false
      },
    }
    const groups = createGroupService(platform, needs)
    const form = createFormService(platform, needs.settings)
    const contacts = createContactService(platform, faces)
    const service = createPeopleService(platform, faces, { groups, form, contacts }, needs)
    return {
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
      extensions: [
        extend(personGroupNames, (scope, ids) => groups.names(scope, ids)),
        extend(facePersons, {
          persons: (scope, ids) => service.describe(scope, ids),
          countPersons: (scope) => service.count(scope),
          lookedOutFor: (scope) => service.lookedOutFor(scope),
          unseen: (scope) => service.unseen(scope),
          contacts: (scope, ids) => service.contactsNamed(scope, ids),
        }),
      ],
    }
  },
})
