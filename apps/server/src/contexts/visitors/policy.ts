/** What may be done with a visit in its state, besides what the permission of a call says. */
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { ENDED_STATUSES, statusAfter, type VisitCircumstances, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { VisitRow as ShownVisit } from '@gatehouse/contract/visitors/visit'
import type { VisitRow } from './visits-data.ts'

type State = Pick<VisitRow, 'status' | 'enabled'>

export const statusOf = ({ status }: Pick<VisitRow, 'status'>): VisitorStatus => status as VisitorStatus

/** Return whether a visit is over: nothing happens to it any more. */
export const isEnded = (visit: Pick<VisitRow, 'status'>): boolean => ENDED_STATUSES.includes(statusOf(visit))

const WAITING: readonly VisitorStatus[] = [visitorStatus.pendingReview, visitorStatus.toConfirm]
const PRESENT: readonly VisitorStatus[] = [visitorStatus.checkedIn, visitorStatus.awaitingVerification]

/** Return whether a visit waits for the desk or the host. */
export const isWaiting = (status: VisitorStatus): boolean => WAITING.includes(status)
/** Return whether a visitor is there, be it at the desk. */
export const isPresent = (status: VisitorStatus): boolean => PRESENT.includes(status)

export const canChange = (visit: State): boolean => visit.enabled && !isEnded(visit)
export const canDelete = (visit: State): boolean => visit.enabled && isEnded(visit)

/** Return what may be done with a visit now. */
export function visitAbilities(visit: State, circumstances: VisitCircumstances): ShownVisit['can'] {
  const status = statusOf(visit)
  const leads = (on: Parameters<typeof statusAfter>[1]): boolean => visit.enabled && statusAfter(status, on, circumstances) !== null
  return {
    change: canChange(visit),
    delete: canDelete(visit),
    accept: leads('accepted'),
    refuse: leads('refused'),
    revoke: leads('revoked'),
    signIn: leads('signedIn'),
    verify: leads('verified'),
    signOff: status === visitorStatus.checkedIn,
    block: visit.enabled && !isEnded(visit),
    unblock: !visit.enabled,
  }
}
