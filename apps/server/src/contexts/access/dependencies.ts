/** What this context asks of others. */
import type { EventDefinition } from '../../platform/events.ts'
import type { Scope } from '../../platform/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'

/** The register of devices, as far as strategies and records need it; unknown ids are left out of every answer. */
export interface AccessDevices {
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  groupNames(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Devices in these groups and those below. */
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  /** A group and all above it. */
  groupPath(scope: Scope, groupId: string | null): Promise<string[]>
}

export interface AccessDependencies {
  people: Pick<PeopleService, 'facts' | 'idsInGroups'>
  groups: Pick<GroupService, 'names' | 'tree'>
  faces: Pick<FacesService, 'photosOf'>
  devices: AccessDevices
  organisation: Pick<OrganisationService, 'park'>
  deviceEvents: { devicesDeleted: EventDefinition<{ deviceIds: string[]; codes: string[] }> }
}
