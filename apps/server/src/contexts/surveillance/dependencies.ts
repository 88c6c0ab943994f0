/** What surveillance asks of areas below it. */
import type { DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService } from '../people/index.ts'

export interface SurveillanceDependencies {
  devices: Pick<DevicesService, 'some' | 'names'>
  groups: Pick<GroupService, 'types' | 'withDescendants'>
  faces: Pick<FacesService, 'thresholdsOf'>
  organisation: Pick<OrganisationService, 'park'>
}
