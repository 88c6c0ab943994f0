/** Who makes the secret of a device, who lets persons go to it, and under whose name both are kept. */
import { mayPair } from '@gatehouse/contract/devices/pairing'
import type { Actor } from '../../platform/audit/audit.ts'
import { forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'

/** Somebody with a session, as they are remembered once it is over. */
export type Author = Omit<Actor, 'parkId'>

/** What is decided of a device whose secret is made. */
export interface PairingDecision {
  by: Author
  /** Whether they may be given its secret; otherwise it waits for somebody who may. */
  pairs: boolean
  /** Whether persons go to it; otherwise it waits for somebody who decides who passes. */
  release: boolean
}

export const authorOf = ({ userId, account, operator, kind }: Session): Author => ({
  userId,
  account,
  operator,
  source: kind === 'client' ? 'thirdParty' : 'local',
})

/**
 * What the caller may decide of what they ask for.
 * @param release undefined: released where they may
 * @throws Refusal 100510 (403)
 */
export function decisionOf(session: Session, release: boolean | undefined): PairingDecision {
  const mayRelease = session.permissions.has('access.rule')
  if (release === true && !mayRelease) forbid('release')
  return { by: authorOf(session), pairs: mayPair(session), release: release ?? mayRelease }
}
