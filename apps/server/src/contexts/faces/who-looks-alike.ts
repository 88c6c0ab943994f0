/** Who may learn which registered persons a face resembles. */
import type { Session } from '../../platform/session.ts'

/**
 * Whether the caller may see persons, or search them by a photograph. Nothing is searched for anybody else: an id, a score or the time
 * of an answer would tell whether somebody is registered.
 */
export const mayLearnWhoLooksAlike = ({ permissions }: Pick<Session, 'permissions'>): boolean =>
  permissions.has('person.list') || permissions.has('basic.person.search')
