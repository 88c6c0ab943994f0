/** The tree of groups for a kind of person. */
import { personGroupType } from '../enums/people.ts'
import type { PersonKind } from './person-fields.ts'

/** Return the type of the groups for a kind of person. Customers are in the groups of staff; the watch list has groups of its own. */
export const groupTypeOf = (kind: PersonKind): 1 | 2 => (kind === 'special' ? personGroupType.blacklist : personGroupType.staff)
