/** What a user may learn about persons through faces, in addition to the permission of a call. */
import type { Session } from '../../platform/session/session.ts'

/** The user who sees results of face comparisons. */
export type FaceViewer = Pick<Session, 'permissions'>

/** Return whether the viewer may read persons: for others, names and pictures of pairs are left empty. */
export const canReadPersons = ({ permissions }: FaceViewer): boolean => permissions.has('person.list')

/**
 * Return whether the viewer may search persons by a photograph, or registers persons, who must not register a person twice. For
 * all others no search is made, even if they may read persons: an id, a score or the time of an answer would reveal whom a
 * picture shows.
 */
export const canLearnWhoLooksAlike = (viewer: FaceViewer): boolean =>
  viewer.permissions.has('basic.person.search') || (canReadPersons(viewer) && viewer.permissions.has('own:person.edit'))
