/** What a user may do with parks, besides what a call's permission says. */
import { holds } from '@gatehouse/contract/conditions'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { mayCall } from '@gatehouse/contract/policy'
import type { Session } from '../../platform/session/session.ts'

/** Return whether the session may go to another park: some roles are bound to theirs. */
export const canChangePark = ({ circumstances }: Pick<Session, 'circumstances'>): boolean => holds('changePark', circumstances)

/** Return whether the session may be shown the code by which other parks ask to be linked. */
export const canSeeVerificationCode = (session: Pick<Session, 'permissions' | 'circumstances'>): boolean =>
  mayCall(session, areaCalls.verificationCode)
