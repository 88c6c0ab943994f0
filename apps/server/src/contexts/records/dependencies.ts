/** What records ask of areas below them. */
import type { FindMeasures, OrganisationService } from '../organisation/index.ts'
import type { DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { WhoMay } from '../identity/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Sharing } from '../relations/index.ts'
import type { StrategyReading } from '../strategies/index.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { SecondVerification } from '../synchronisation/index.ts'

export interface RecordDependencies {
  people: PeopleService
  groups: GroupService
  faces: FacesService
  devices: DevicesService
  organisation: OrganisationService
  /** What links with other parks come to. */
  sharing: Sharing
  reading: StrategyReading
  /** What sensors of the park can tell. */
  measures: FindMeasures
  /** Who may make a change that a refused passage asks for. */
  whoMay: WhoMay
  /** Those of these persons who were erased and whose passages stand under a pseudonym, late ones too. */
  pseudonymised(scope: Scope, personIds: readonly string[]): Promise<ReadonlySet<string>>
  restrictions: Pick<SecondVerification, 'ask'>
}
