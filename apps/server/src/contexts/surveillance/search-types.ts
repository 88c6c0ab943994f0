/** What the search among captures needs of areas below. */
import type { DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { PeopleService } from '../people/index.ts'
import type { RecordService } from '../records/index.ts'
import type { ParkPlan } from '../system/index.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface SearchDependencies {
  faces: Pick<FacesService, 'modelId' | 'description' | 'scoreOf' | 'distanceOf' | 'searchScoreAmong' | 'templatesOf' | 'templateOfCached'>
  people: Pick<PeopleService, 'describe'>
  records: Pick<RecordService, 'list'>
  devices: Pick<DevicesService, 'names'>
  plan(scope: Scope): ParkPlan
}
