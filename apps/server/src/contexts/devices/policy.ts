/** What a user may decide about a device beyond the permission of the call. */
import { mayPair } from '@gatehouse/contract/devices/pairing'
import { forbid } from '../../platform/http/refusal.ts'
import type { Actor, Session } from '../../platform/session/session.ts'

/** Decision about a device whose secret is made. */
export interface PairingDecision {
  by: Actor
  /** Whether `by` may receive the secret; otherwise the device waits for a user who may. */
  pairs: boolean
  /** Whether persons are sent to the device; otherwise it waits for a user who decides who passes. */
  release: boolean
}

/** Return whether the session may decide who passes, and so which persons are sent to a device. */
export const canRelease = ({ permissions }: Pick<Session, 'permissions'>): boolean => permissions.has('access.rule')

/**
 * Return the decision about a request, as far as the caller may decide.
 * @param release undefined: released if the caller may release
 * @throws Refusal 100510 (403)
 */
export function decisionOf(session: Session, release: boolean | undefined): PairingDecision {
  const mayRelease = canRelease(session)
  if (release === true && !mayRelease) forbid('release')
  return { by: session, pairs: mayPair(session), release: release ?? mayRelease }
}
