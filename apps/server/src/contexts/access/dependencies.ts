/** What this context asks of others. */
import type { Restriction } from '@gatehouse/access-rules'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { EventDefinition } from '../../platform/events/events.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Selection } from '../../platform/tree.ts'
import type { CardPasswords } from '../cards/index.ts'
import type { DevicesService, Placing, RegisteredDevice } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { WhoMay } from '../identity/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Sharing } from '../relations/index.ts'

/** The register of devices, as far as strategies and records need it; unknown ids are left out of every answer. */
export interface AccessDevices extends Pick<DevicesService, 'moving'> {
  groups: Pick<DevicesService['groups'], 'moving' | 'assertRemovable'>
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  facts(scope: Scope, ids: readonly string[]): Promise<{ id: string; groupId: string | null }[]>
  groupNames(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Devices in these groups and those below. */
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  sizes(scope: Scope, selections: readonly Selection[]): Promise<number[]>
  /** All devices of the park, and all groups with what is above them. */
  register(scope: Scope): Promise<RegisteredDevice[]>
  groupRows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
  /** All devices of the park with their state, by name. */
  all(
    scope: Scope,
  ): Promise<{ id: string; name: string; code: string; onlineStatus: number; lastSeenAt: number | null; onlineSince: number | null }[]>
}

export interface AccessDependencies {
  /** What sensors of the park can tell. */
  measures(scope: Scope): Promise<Measures>
  people: Pick<
    PeopleService,
    | 'facts'
    | 'credentials'
    | 'contactsOf'
    | 'contactsNamed'
    | 'page'
    | 'idsInGroups'
    | 'moving'
    | 'sizes'
    | 'unseen'
    | 'idsNamed'
    | 'lookup'
    | 'read'
    | 'change'
    | 'lookedOutFor'
    | 'watchListed'
  >
  cardPasswords: CardPasswords
  groups: Pick<GroupService, 'names' | 'types' | 'tree' | 'rows' | 'paths' | 'withDescendants' | 'moving'>
  faces: Pick<
    FacesService,
    | 'photosOf'
    | 'heldOf'
    | 'templatesOf'
    | 'photosOfContacts'
    | 'compareContact'
    | 'templatesOfContacts'
    | 'templatesRevision'
    | 'onPolicyChanged'
    | 'modelId'
    | 'probe'
    | 'cache'
    | 'dropCached'
    | 'isSamePicture'
    | 'compare'
    | 'searchNear'
    | 'askedOf'
    | 'findAmong'
    | 'findLookAlike'
    | 'scoreOf'
    | 'policyOf'
    | 'thresholdsOf'
    | 'comparingAt'
    | 'matching'
    | 'liveness'
  >
  devices: AccessDevices
  /** Who may put devices where more strategies reach them. */
  placing: Placing
  organisation: Pick<OrganisationService, 'park' | 'parks' | 'accessSettings'>
  /** Those of these persons who were erased and whose passages stand under a pseudonym, late ones too. */
  pseudonymised(scope: Scope, personIds: readonly string[]): Promise<ReadonlySet<string>>
  /** What links with other parks come to. */
  sharing: Sharing
  /** Counts a try in the window that runs, or begins now for `windowMs`. @throws TooManyTries beyond so many in it */
  demandRoom(subject: string, windowMs: number, most: number): Promise<void>
  /** Who may make a change that a refused passage asks for. */
  whoMay: WhoMay
  /** Areas in which a passage depends on who is inside, or on how many. */
  restrictions: {
    /** Devices that are to ask before they open. */
    asking(scope: Scope): Promise<Map<string, NonNullable<DeviceSettings['secondVerification']>>>
    /** Null for a door of no area. @param gone whether whoever asked waits no longer */
    ask(
      scope: Scope,
      passage: { deviceId: string; direction: number; personId: string; moment: number },
      gone: () => boolean,
    ): Promise<{ allowed: boolean; failReason: number | null; restriction: Restriction | null } | null>
  }
  /** Which devices ask, or how, is another. */
  restrictionsChanged: EventDefinition<object>
  deviceEvents: {
    devicesChanged: EventDefinition<{ deviceIds: string[] }>
    devicesDeleted: EventDefinition<{ deviceIds: string[]; codes: string[] }>
    deviceGroupsChanged: EventDefinition<object>
    deviceGroupDeleted: EventDefinition<{ groupId: string }>
  }
}
