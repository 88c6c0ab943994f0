/**
 * Differences between the registers of persons: their addresses, and the type of their groups. Texts differ by the
 * i18n context of the same name.
 */
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { groupTypeOf } from '@gatehouse/contract/people/group-type'
import { path } from '../../paths.ts'

export const personKinds = {
  staff: { list: 'staffList', add: 'staffAdd', details: 'staffDetails', groupType: groupTypeOf('staff') },
  customer: { list: 'customerList', add: 'customerAdd', details: 'customerDetails', groupType: groupTypeOf('customer') },
  special: { list: 'blacklist', add: 'blackAdd', details: 'blackDetails', groupType: groupTypeOf('special') },
} as const satisfies Record<PersonKind, object>

/** Kinds whose list, form and detail page differ only in their texts. */
export type RegisterKind = Exclude<PersonKind, 'special'>

const isPersonKind = (kind: string): kind is PersonKind => Object.hasOwn(personKinds, kind)
/** Return the address of a person's page. */
export const pathOfPerson = (kind: string, id: string): string => path(personKinds[isPersonKind(kind) ? kind : 'staff'].details, { id })
