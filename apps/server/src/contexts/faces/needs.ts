/** What photographs need of other contexts, through the extension points those implement. */
import type { Platform } from '../../platform/context.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { drawnPersons, faceDevices, faceDoors, facePersons, faceUse } from './extension-points.ts'
import type { FacesNeeds } from './service-types.ts'

export function createFacesNeeds(platform: Platform, organisation: Pick<OrganisationService, 'parks'>): FacesNeeds {
  const persons = () => platform.extensions.one(facePersons)
  return {
    persons: (scope, ids) => persons().persons(scope, ids),
    countPersons: (scope) => persons().countPersons(scope),
    lookedOutFor: (scope) => persons().lookedOutFor(scope),
    unseen: (scope) => persons().unseen(scope),
    contacts: (scope, ids) => persons().contacts(scope, ids),
    facesPerDay: (scope) => platform.extensions.one(faceUse).facesPerDay(scope),
    lookedAgain: (scope) => platform.extensions.one(faceUse).lookedAgain(scope),
    doorsByFaceAlone: (scope) => platform.extensions.one(faceDoors).doorsByFaceAlone(scope),
    doorGroups: (scope) => platform.extensions.one(faceDoors).doorGroups(scope),
    devices: (scope, ids) => platform.extensions.one(faceDevices)(scope, ids),
    parkIds: () => organisation.parks().map(({ id }) => id),
    async demoPersons(scope) {
      const found = await Promise.all(platform.extensions.all(drawnPersons).map((find) => find(scope)))
      return new Set(found.flatMap((ids) => [...ids]))
    },
  }
}
