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
  /** All devices of the park, and all groups with what is above them. */
  register(scope: Scope): Promise<{ id: string; code: string; name: string; direction: number; groupId: string | null; modelId: string }[]>
  groupRows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
  /** All devices of the park with their state, by name. */
  all(scope: Scope): Promise<{ id: string; name: string; code: string; onlineStatus: number; lastSeenAt: number | null }[]>
}

export interface AccessDependencies {
  people: Pick<PeopleService, 'facts' | 'page' | 'idsInGroups' | 'idsNamed'>
  groups: Pick<GroupService, 'names' | 'tree' | 'rows'>
  faces: Pick<FacesService, 'photosOf' | 'heldOf' | 'templatesOf' | 'templatesRevision' | 'onPolicyChanged' | 'modelId' | 'probe' | 'compare' | 'search' | 'scoreOf' | 'policyOf' | 'matching' | 'liveness'>
  devices: AccessDevices
  organisation: Pick<OrganisationService, 'park' | 'parks'>
  deviceEvents: {
    devicesChanged: EventDefinition<{ deviceIds: string[] }>
    devicesDeleted: EventDefinition<{ deviceIds: string[]; codes: string[] }>
  }
}
