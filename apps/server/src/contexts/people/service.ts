/** The register of persons: its operations, each made in the file that is named after it. */
import type { Platform } from '../../platform/context.ts'
import type { FacesService } from '../faces/index.ts'
import { createPersonAdmission } from './admission.ts'
import { createCardAssignment } from './card-assignment.ts'
import { createChanging } from './changing.ts'
import { createConsent } from './consent.ts'
import { createCopying } from './copying.ts'
import { createCredentials } from './credentials.ts'
import { createDeleting } from './deleting.ts'
import { createEnabling } from './enabling.ts'
import { createFacts } from './facts.ts'
import { createListing } from './listing.ts'
import { createLookup } from './lookup.ts'
import { createMoving } from './moving.ts'
import type { PeopleNeeds } from './needs.ts'
import type { RegisterParts, PeopleParts } from './parts.ts'
import { createRegistering } from './registering.ts'
import { createPersonRows } from './rows.ts'
import { createSelection } from './selection.ts'
import type { PeopleService } from './service-types.ts'
import { createStaffEmail } from './staff-email.ts'
import { createVisitorPersons } from './visitor-persons.ts'

export function createPeopleService(
  platform: Platform,
  faces: FacesService,
  { groups, form, contacts }: PeopleParts,
  needs: PeopleNeeds,
): PeopleService {
  const facts = createFacts(platform)
  const rows = createPersonRows(platform)
  const admission = createPersonAdmission(facts.facts, needs)
  const parts: RegisterParts = { platform, faces, groups, form, contacts, needs, admission, rows }
  return {
    ...facts,
    ...createListing(parts),
    ...createRegistering(parts),
    ...createChanging(parts),
    ...createEnabling(parts),
    ...createMoving(parts, facts),
    ...createDeleting(parts),
    ...createConsent(parts),
    ...createCardAssignment(parts),
    ...createSelection(parts),
    ...createVisitorPersons(parts),
    copy: createCopying(parts),
    lookup: createLookup(platform, faces, groups, form, needs.consentRequired),
    form: form.read,
    credentials: createCredentials(platform),
    staffEmail: createStaffEmail(platform),
    contactsOf: contacts.ofPersons,
    contactsNamed: contacts.named,
  }
}
