/** Which tree of groups the persons of a register stand in. */
import { personGroupType } from '../enums/people.ts'
import type { PersonKind } from './person-fields.ts'

/** Customers stand in the groups of staff; whom to look out for is a register of its own, in groups of its own. */
export const groupTypeOf = (kind: PersonKind): 1 | 2 => (kind === 'special' ? personGroupType.blacklist : personGroupType.staff)
