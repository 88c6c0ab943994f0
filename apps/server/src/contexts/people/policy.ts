/** Which persons and groups a caller may know of, besides what a call's permission says. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { seesWatchList, type Scope, type Session } from '../../platform/session/session.ts'

const WATCH_LIST: PersonKind = 'special'

/**
 * Kind of the persons of visits. Doors and records know them; the calls on persons do not, and no form has this value.
 */
export const VISITOR_KIND = 'visitor'

/** Return whether the session may look at persons. */
export const canReadPersons = ({ permissions }: Pick<Session, 'permissions'>): boolean => permissions.has('person.list')

/** Return whether the session may look at visitors. */
export const canSeeVisitors = ({ permissions }: Pick<Session, 'permissions'>): boolean => permissions.has('visitor.report')

/** Return whether persons of a kind exist for the scope: those of the watch list do not exist for everybody. */
export const canSeeKind = (scope: Scope, kind: string): boolean => kind !== WATCH_LIST || seesWatchList(scope)

/** Refuse a kind that does not exist for the scope, as a value nobody knows. @throws InvalidRequest */
export function assertKindVisible(scope: Scope, kind: string | null | undefined): void {
  if (kind != null && !canSeeKind(scope, kind))
    throw new InvalidRequest([{ path: 'kind', rule: 'oneOf', params: { values: 'staff, customer' } }])
}

/** Return the types of person groups that exist for the scope: the groups of the watch list exist where its persons do. */
export const visibleGroupTypes = (scope: Scope): readonly number[] =>
  personGroupType.values.filter((type) => type !== personGroupType.blacklist || seesWatchList(scope))
