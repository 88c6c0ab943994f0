/** What the operations of the register share. */
import type { PersonAdmission } from './admission-types.ts'
import type { FacesService } from '../faces/index.ts'
import type { Platform } from '../../platform/context.ts'
import type { ContactService } from './contacts-types.ts'
import type { FormService } from './form.ts'
import type { GroupService } from './groups.ts'
import type { PersonRows } from './rows.ts'
import type { PeopleNeeds } from './needs.ts'

/** The services of the register that stand beside the one for persons. */
export interface PeopleParts {
  groups: GroupService
  form: FormService
  contacts: ContactService
}
export interface RegisterParts extends PeopleParts {
  platform: Platform
  faces: FacesService
  needs: PeopleNeeds
  admission: PersonAdmission
  rows: PersonRows
}
