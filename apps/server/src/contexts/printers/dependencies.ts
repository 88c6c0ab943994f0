/** What printing needs of other areas. */
import type { OrganisationService } from '../organisation/index.ts'
import type { SystemContext } from '../system/index.ts'
import type { VisitBadges } from '../visitors/index.ts'

export interface PrintersDependencies {
  badges: VisitBadges
  organisation: Pick<OrganisationService, 'park'>
  logo: SystemContext['logo']
}
