/** What statistics ask of areas below them. */
import type { DevicesService } from '../devices/index.ts'
import type { FindMeasures, OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'

export interface StatisticsDependencies {
  people: PeopleService
  groups: GroupService
  devices: DevicesService
  organisation: OrganisationService
  /** What sensors of the park can tell. */
  measures: FindMeasures
}
