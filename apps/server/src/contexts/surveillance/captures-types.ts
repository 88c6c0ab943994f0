/** What captures need of other areas, and what storing and matching them share. */
import type { WatchingTask, Watching } from './watching-types.ts'
import type { DevicesService, Numbered } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { PeopleService } from '../people/index.ts'
import type { CaptureMatch } from './extension-points.ts'
import type { NewCapture } from './captures-data.ts'

export interface CaptureDependencies {
  devices: Pick<DevicesService, 'facts'>
  numbered: Numbered
  people: Pick<PeopleService, 'describe' | 'idsInGroups'>
  faces: Pick<
    FacesService,
    'modelId' | 'description' | 'matching' | 'requiredOf' | 'scoreOf' | 'distanceOf' | 'search' | 'facesIn' | 'photosOf'
  >
  watching: Watching
}

/** A camera as captures name it. */
export interface Camera {
  id: string
  name: string
  type: number
}

/** What a task made of a face; a null person: nobody of its groups is near enough. */
export interface TaskOutcome {
  task: WatchingTask
  person: CaptureMatch['person']
}

/** What the matching of a capture needs of its row. */
export type MatchedRow = Pick<NewCapture, 'id' | 'deviceId' | 'deviceName' | 'deviceType' | 'capturedAt' | 'receivedAt'>

/** A capture that is ready to be stored, with its outcomes; null: it was not compared. */
export interface PreparedCapture<Row extends MatchedRow = NewCapture> {
  row: Row
  outcomes: readonly TaskOutcome[] | null
}
