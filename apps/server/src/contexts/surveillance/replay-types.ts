/** What the replay of a task needs of areas below it, and what it offers. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { replayCalls } from '@gatehouse/contract/surveillance/replay'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { PeopleService } from '../people/index.ts'

type Compare = (typeof replayCalls)['compare']

export interface ReplayDependencies {
  faces: Pick<FacesService, 'modelId' | 'matching' | 'requiredOf' | 'scoreOf' | 'searchEach' | 'thresholdsOf'>
  people: Pick<PeopleService, 'describe' | 'idsInGroups'>
  organisation: Pick<OrganisationService, 'park'>
}

export interface Replay {
  /**
   * Compare a part of the captures of a window. Persons, devices and alarms that do not exist for the caller are as if there were none.
   * @param alarmScope what the caller sees of alarms; null: nothing
   * @throws Refusal 500006–500008, 500011, 300203; 900007 a window that does not end after it begins or is too long; 900000 others are
   *   computed; InvalidRequest
   */
  compare(scope: Scope, body: OutputOf<Compare['body']>, alarmScope: Scope | null, signal: AbortSignal): Promise<DataOf<Compare>>
}
