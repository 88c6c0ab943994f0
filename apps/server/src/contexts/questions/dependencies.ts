/** Services of lower areas that questions depend on. */
import type { DevicesService, Placing } from '../devices/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Sharing } from '../relations/index.ts'
import { type StrategyReading } from '../strategies/index.ts'

export interface QuestionDependencies {
  people: PeopleService
  groups: GroupService
  devices: DevicesService
  /** Checks who may move devices to where more strategies reach them. */
  placing: Placing
  organisation: OrganisationService
  sharing: Sharing
  reading: StrategyReading
}
