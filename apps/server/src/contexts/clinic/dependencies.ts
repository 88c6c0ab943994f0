/** Services of lower areas that the clinic depends on. */
import type { FacesService } from '../faces/index.ts'
import type { PeopleService } from '../people/index.ts'

export interface ClinicDependencies {
  people: PeopleService
  faces: FacesService
}
