/** What the administration of roles needs. */
import type { roleFields } from '@gatehouse/contract/identity/roles'
import type { z } from 'zod'
import type { OrganisationService } from '../organisation/index.ts'
import type { DeviceGroupTree, Privilege } from './privilege.ts'
import type { Sessions } from './sessions-types.ts'

export type RoleFields = z.output<typeof roleFields>
export interface RoleParts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
  deviceGroups: Pick<DeviceGroupTree, 'parks'>
}
