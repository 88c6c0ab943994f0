/** Which entries a user may read, besides what a call's permission says. */
import { holds } from '@gatehouse/contract/conditions'
import type { Session } from '../../platform/session/session.ts'

/** Return whether the viewer may read the entries of all parks. */
export const canReadAllParks = ({ circumstances }: Pick<Session, 'circumstances'>): boolean => holds('installation', circumstances)
