/** What strategies and time rules ask of areas below them. */
import type { DevicesService } from '../devices/index.ts'
import type { Attempts } from '../identity/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Sharing } from '../relations/index.ts'

export interface StrategyDependencies {
  people: PeopleService
  groups: GroupService
  devices: DevicesService
  organisation: OrganisationService
  /** What links with other parks come to. */
  sharing: Sharing
  /** Counts a try in the window that runs, or begins now for `windowMs`. @throws TooManyTries beyond so many in it */
  demandRoom: Attempts['demandRoom']
}
