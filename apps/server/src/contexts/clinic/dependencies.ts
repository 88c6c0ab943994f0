/** What the clinic asks of areas below it. */
import type { FacesService } from '../faces/index.ts'
import type { PeopleService } from '../people/index.ts'

export interface ClinicDependencies {
  people: PeopleService
  faces: FacesService
}
