/** Services of lower areas that records depend on. */
import type { FindMeasures, OrganisationService } from '../organisation/index.ts'
import type { DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { WhoMay } from '../identity/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Sharing } from '../relations/index.ts'
import type { StrategyReading } from '../strategies/index.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { SecondVerification, VisitorPasses } from '../synchronisation/index.ts'

export interface RecordDependencies {
  people: PeopleService
  groups: GroupService
  faces: FacesService
  devices: DevicesService
  organisation: OrganisationService
  /** What linked parks share with each other. */
  sharing: Sharing
  reading: StrategyReading
  /** Which values the sensors of the park have measured so far. */
  measures: FindMeasures
  /** Finds who may make the change that would let a refused person pass. */
  whoMay: WhoMay
  /** Return those of these persons who were erased and whose passages, late ones included, are stored under a pseudonym. */
  pseudonymised(scope: Scope, personIds: readonly string[]): Promise<ReadonlySet<string>>
  restrictions: Pick<SecondVerification, 'ask'>
  passes: Pick<VisitorPasses, 'isUsable' | 'use'>
}
