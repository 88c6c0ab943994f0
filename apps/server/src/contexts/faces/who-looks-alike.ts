/** Who may learn which registered persons a face resembles. */
import type { Session } from '../../platform/session/session.ts'

/**
 * Whether the caller may search persons by a photograph, or registers persons, who must not register anybody twice. Nothing is searched
 * for anybody else, whoever may look at persons included: an id, a score or the time of an answer would tell who a picture shows.
 */
export const mayLearnWhoLooksAlike = ({ permissions }: Pick<Session, 'permissions'>): boolean =>
  permissions.has('basic.person.search') || (permissions.has('person.list') && permissions.has('own:person.edit'))
