/**
 * What happens to visits: they are accepted, refused, cancelled, signed in and signed off. Each change is made at the status that the
 * caller read (VAL-097), in the transaction that gives or takes the right of way.
 */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { MissingRights } from './missing-rights.ts'
import { isEnded } from './policy.ts'
import type { VisitParts } from './registering.ts'
import { createSigningIn, type SigningIn } from './signing-in.ts'
import { createSigningOff, type SigningOff } from './signing-off.ts'
import type { StoredVisits } from './stored-visits.ts'
import { createVisitSteps, type ChangedBy, type ReadVisit } from './visit-steps.ts'

export interface Acting extends SigningIn, SigningOff {
  /** @throws Refusal 200401, 200420, 200207; InvalidRequest; Hindered */
  accept(scope: Scope, visit: ReadVisit): Promise<void>
  /** @throws Refusal 200401, 200420 */
  refuse(scope: Scope, visit: ReadVisit, rejectReason: string): Promise<void>
  /** @param by a visitor who cancels is sent no e-mail about it @throws Refusal 200401, 200420 */
  revoke(scope: Scope, visit: ReadVisit, by?: ChangedBy): Promise<void>
  /** Block or unblock a visit; return whether that changed it. @throws Refusal 200401, 200420 a visit that is over */
  setEnabled(scope: Scope, id: string, enabled: boolean): Promise<boolean>
}

export function createActing(platform: Platform, visits: StoredVisits, missingRights: MissingRights, parts: VisitParts): Acting {
  const { clock } = platform
  const steps = createVisitSteps(platform, parts)
  const { next, write, admit, simply } = steps

  return {
    ...createSigningIn(platform, visits, steps, missingRights, parts),
    ...createSigningOff(platform, visits, steps, parts),
    async accept(scope, { id, status }) {
      const stored = await visits.existing(scope, id)
      const { row, details } = stored
      const after = next(scope, row, status, 'accepted')
      // BEH-171; the status follows within a minute.
      if (row.visitEndAt < clock.now()) throw new InvalidRequest([{ path: 'id', rule: 'appointmentExpired' }])
      // Whoever accepts has looked at what there was to check.
      await admit(scope, stored, { ...(await missingRights(scope, row)), status: after, deskChecks: [] }, details)
    },
    async refuse(scope, visit, rejectReason) {
      await simply(scope, visit, 'refused', { rejectReason })
    },
    async revoke(scope, visit, by) {
      await simply(scope, visit, 'revoked', {}, { by })
    },
    async setEnabled(scope, id, enabled) {
      const stored = await visits.existing(scope, id)
      if (stored.row.enabled === enabled) return false
      if (!enabled && isEnded(stored.row)) refuse(200420, 'id')
      if (enabled) await admit(scope, stored, { enabled }, stored.details)
      else await write(scope, stored, { enabled })
      return true
    },
  }
}
