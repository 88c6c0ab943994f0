/** What a user reads of persons in an area, besides what a call's permission says. */
import type { Session } from '../../platform/session/session.ts'

/** Return whether the session may see who of the persons is a visitor, and of whom. */
export const canSeeVisits = ({ permissions }: Pick<Session, 'permissions'>): boolean => permissions.has('visitor.report')
