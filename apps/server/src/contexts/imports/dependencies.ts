import type { FacesService } from '../faces/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'

export interface ImportsDependencies {
  people: PeopleService
  groups: GroupService
  faces: FacesService
  organisation: OrganisationService
}
