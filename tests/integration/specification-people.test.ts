/** The calls of people (M05), sent as the specification writes them. */
import { associatedPersonCalls } from '../support/specified/associated-persons.ts'
import { contactCalls } from '../support/specified/contacts.ts'
import { personAuditCalls } from '../support/specified/person-audit.ts'
import { personFormCalls } from '../support/specified/person-form.ts'
import { personGroupCalls } from '../support/specified/person-groups.ts'
import { personCalls } from '../support/specified/persons.ts'
import { specialPersonCalls } from '../support/specified/special-persons.ts'
import { trySpecified } from '../support/specified/specified.ts'

trySpecified([
  ...personFormCalls,
  ...personCalls,
  ...contactCalls,
  ...personGroupCalls,
  ...specialPersonCalls,
  ...associatedPersonCalls,
  ...personAuditCalls,
])
