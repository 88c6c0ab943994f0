/** Signs visitors off, at the desk and at visitor machines. */
import { visitorSignInSource } from '@gatehouse/contract/enums/visitors'
import type { VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { VisitParts } from './registering.ts'
import type { StoredVisits } from './stored-visits.ts'
import type { ReadVisit, VisitOrigin, VisitSteps } from './visit-steps.ts'

export interface SigningOff {
  /**
   * Sign a visitor off; return the status after it.
   * @param origin absent: the desk, now
   * @throws Refusal 200401, 200420, 200424; InvalidRequest where a card is not returned, or nobody signs off by hand
   */
  signOff(scope: Scope, visit: ReadVisit, how: { cardReturned: boolean; forced: boolean }, origin?: VisitOrigin): Promise<VisitorStatus>
}

export function createSigningOff(
  { clock }: Pick<Platform, 'clock'>,
  visits: StoredVisits,
  { next, simply }: Pick<VisitSteps, 'next' | 'simply'>,
  { configuration }: Pick<VisitParts, 'configuration'>,
): SigningOff {
  return {
    async signOff(scope, { id, status }, { cardReturned, forced }, origin) {
      const { row, details } = await visits.existing(scope, id)
      next(scope, origin?.asOf(row) ?? row, status, 'signedOff')
      // A machine offers what the park lets visitors do. One that has not heard of a change yet has let the visitor go.
      const isOffered = origin?.source === visitorSignInSource.visitorMachine || configuration.of(scope).openSignOff
      if (!forced && !isOffered) throw new InvalidRequest([{ path: 'forced', rule: 'signOffClosed' }])
      if (!forced && !cardReturned && details.cardNumber !== null)
        throw new InvalidRequest([{ path: 'cardReturned', rule: 'cardNotReturned' }])
      return simply(scope, { id, status }, 'signedOff', { signedOffAt: origin?.at ?? clock.now(), forced, cardReturned }, origin)
    },
  }
}
