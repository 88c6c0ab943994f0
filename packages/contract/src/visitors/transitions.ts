/**
 * The ten states of a visit and every change between them (AMBIGUITIES 6). Server and console decide by this table alone: what is not in it
 * does not happen.
 */
import type { ValueOf } from '../enums/definition.ts'
import { visitorStatus } from '../enums/visitors.ts'

export type VisitorStatus = ValueOf<typeof visitorStatus>

/** What happens to a visit. */
export type VisitEvent =
  /** The visit is created: asked for, invited, registered at the desk. */
  | 'reserved'
  | 'invited'
  | 'registered'
  /** Decided by the desk or the host. */
  | 'accepted'
  | 'refused'
  | 'revoked'
  /** The visitor comes to the desk or to a visitor machine. */
  | 'signedIn'
  | 'verified'
  /** The visitor passes a door inwards. */
  | 'entered'
  | 'signedOff'
  /** The visitor passes a door that signs off by itself, or any other door outwards. */
  | 'exitSignedOff'
  | 'exited'
  /** Its time is over. */
  | 'ended'

/** What of the park's configuration a transition depends on. */
export interface VisitCircumstances {
  /** Reservations are reviewed. */
  approvalSwitch: boolean
  /** The host confirms a reservation. */
  hostConfirms: boolean
  /** The certificate of a visitor is checked on arrival. */
  certificateRequired: boolean
  /** Visitors are signed off by hand. */
  openSignOff: boolean
  /** Visitors are signed off when their authorisation ends. */
  autoSignOff: boolean
}

export interface VisitTransition {
  id: `VST-${string}`
  /** Null: there is no visit yet. */
  from: VisitorStatus | null
  on: VisitEvent
  to: VisitorStatus
  /** Absent: always. */
  when?: Readonly<Partial<VisitCircumstances>>
}

const status = visitorStatus

/** Every transition; of several that fit, the first applies. */
export const VISIT_TRANSITIONS: readonly VisitTransition[] = [
  { id: 'VST-01', from: null, on: 'reserved', to: status.pendingReview, when: { approvalSwitch: true } },
  { id: 'VST-02', from: null, on: 'reserved', to: status.toConfirm, when: { approvalSwitch: false, hostConfirms: true } },
  { id: 'VST-03', from: null, on: 'reserved', to: status.notYetVisited, when: { approvalSwitch: false, hostConfirms: false } },
  { id: 'VST-04', from: null, on: 'invited', to: status.notYetVisited },
  { id: 'VST-05', from: null, on: 'registered', to: status.checkedIn },
  { id: 'VST-06', from: status.pendingReview, on: 'accepted', to: status.notYetVisited },
  { id: 'VST-07', from: status.pendingReview, on: 'refused', to: status.refused },
  { id: 'VST-08', from: status.pendingReview, on: 'revoked', to: status.cancelled },
  { id: 'VST-09', from: status.toConfirm, on: 'accepted', to: status.notYetVisited },
  { id: 'VST-10', from: status.toConfirm, on: 'refused', to: status.refused },
  { id: 'VST-11', from: status.toConfirm, on: 'revoked', to: status.cancelled },
  { id: 'VST-12', from: status.pendingReview, on: 'ended', to: status.expired },
  { id: 'VST-13', from: status.toConfirm, on: 'ended', to: status.expired },
  { id: 'VST-14', from: status.notYetVisited, on: 'ended', to: status.expired },
  { id: 'VST-15', from: status.notYetVisited, on: 'revoked', to: status.cancelled },
  { id: 'VST-16', from: status.notYetVisited, on: 'signedIn', to: status.awaitingVerification, when: { certificateRequired: true } },
  { id: 'VST-17', from: status.awaitingVerification, on: 'verified', to: status.checkedIn },
  { id: 'VST-18', from: status.awaitingVerification, on: 'ended', to: status.expired },
  { id: 'VST-19', from: status.notYetVisited, on: 'signedIn', to: status.checkedIn, when: { certificateRequired: false } },
  { id: 'VST-20', from: status.checkedIn, on: 'signedOff', to: status.signedOff },
  { id: 'VST-21', from: status.checkedIn, on: 'ended', to: status.signedOff, when: { autoSignOff: true } },
  { id: 'VST-22', from: status.checkedIn, on: 'exitSignedOff', to: status.signedOff },
  { id: 'VST-23', from: status.checkedIn, on: 'exited', to: status.left, when: { openSignOff: false } },
  { id: 'VST-24', from: status.checkedIn, on: 'ended', to: status.expired, when: { autoSignOff: false } },
  // Not in the specification: a visitor who passes a door has arrived; one whose certificate is not theirs is sent away.
  { id: 'VST-25', from: status.notYetVisited, on: 'entered', to: status.checkedIn },
  { id: 'VST-26', from: status.awaitingVerification, on: 'revoked', to: status.cancelled },
]

const isMet = (when: VisitTransition['when'], circumstances: VisitCircumstances): boolean =>
  Object.entries(when ?? {}).every(([name, value]) => circumstances[name as keyof VisitCircumstances] === value)

/** Return the status after an event; null where the event changes nothing in this status. */
export function statusAfter(from: VisitorStatus | null, on: VisitEvent, circumstances: VisitCircumstances): VisitorStatus | null {
  return VISIT_TRANSITIONS.find((one) => one.from === from && one.on === on && isMet(one.when, circumstances))?.to ?? null
}

/** Statuses of visits that are over. */
export const ENDED_STATUSES: readonly VisitorStatus[] = [status.signedOff, status.expired, status.refused, status.cancelled, status.left]

/** Statuses in which a visitor may pass, if visitors do: from acceptance on; where certificates are checked, from that check on. */
export const hasRights = (of: VisitorStatus, { certificateRequired }: Pick<VisitCircumstances, 'certificateRequired'>): boolean =>
  of === status.checkedIn || (of === status.notYetVisited && !certificateRequired)
