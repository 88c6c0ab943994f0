/** Services of lower areas that statistics depend on. */
import type { DevicesService } from '../devices/index.ts'
import type { FindMeasures, OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'

export interface StatisticsDependencies {
  people: PeopleService
  groups: GroupService
  devices: DevicesService
  organisation: OrganisationService
  /** Which values the sensors of the park have measured so far. */
  measures: FindMeasures
}
