/** What the confirmations of an erasure need of other areas. */
import type { DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { PersonErasure } from '../people/index.ts'
import type { RecordErasure } from '../records/index.ts'

export interface CompletionNeeds {
  access: RecordErasure
  faces: Pick<FacesService, 'search' | 'modelId'>
  devices: Pick<DevicesService, 'names'>
  persons: Pick<PersonErasure, 'hidePseudonyms'>
}
