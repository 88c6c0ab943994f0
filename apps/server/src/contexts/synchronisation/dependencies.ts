/** Services of the areas below that the synchronisation needs. */
import type { DevicesService } from '../devices/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Sharing } from '../relations/index.ts'
import type { StrategyReading } from '../strategies/index.ts'

export interface SynchronisationDependencies {
  people: Pick<PeopleService, 'facts' | 'idsInGroups'>
  groups: GroupService
  devices: DevicesService
  organisation: OrganisationService
  sharing: Sharing
  reading: StrategyReading
}
