/** What visitors submit on their phones as the form of a visit. */
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import type { VisitReservation } from '@gatehouse/contract/visitors/appointments'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { VisitFields } from './form-types.ts'
import { findTypedHost } from './typed-hosts.ts'

/** Return the fields that reservation and invitation have in common. @throws InvalidRequest for a masked name: nobody is shown any here */
export function formOf({ name, email, visitorNumber, peers, facePhoto, faceConsent, customFields, remark }: VisitReservation) {
  if (name != null && FORBIDDEN_IN_NAME.test(name)) throw new InvalidRequest([{ path: 'name', rule: 'name' }])
  const at = peers.findIndex((peer) => FORBIDDEN_IN_NAME.test(peer.name))
  if (at >= 0) throw new InvalidRequest([{ path: `peers.${at}.name`, rule: 'name' }])
  return { email, visitorNumber, peers, facePhoto, faceConsent, customFields, remark }
}

/** Return the form of a reservation, and what of it the desk has to check. @throws InvalidRequest */
export async function reservationOf(needs: Pick<VisitorsDependencies, 'people'>, scope: Scope, sent: VisitReservation) {
  const issues = (['name', 'phone', 'reason', 'visitTime'] as const).flatMap((path) =>
    sent[path] == null ? [{ path, rule: 'required' }] : [],
  )
  if (issues.length > 0) throw new InvalidRequest(issues)
  const intervieweeId = sent.host == null ? null : await findTypedHost(needs, scope, sent.host)
  const fields: VisitFields = {
    ...formOf(sent),
    source: 1,
    name: sent.name!,
    phone: sent.phone!,
    reason: sent.reason!,
    visitTime: sent.visitTime!,
    visitEndTime: sent.visitEndTime,
    intervieweeId,
  }
  return { fields, hostName: sent.host?.name ?? '', checks: sent.host != null && intervieweeId === null ? (['host'] as const) : [] }
}
