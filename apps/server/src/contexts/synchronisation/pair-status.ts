/** Synchronisation status of one person at one device: derived from what the device reports, never stored. */
import type { PERSON_FAILURES } from '@gatehouse/contract/device/protocol-persons'
import { personSyncStatus } from '@gatehouse/contract/enums/access'

/** A person who is pending at a device for longer counts as overtime. */
export const OVERTIME_AFTER_MS = 10 * 60_000

/** The audience a device should have. */
export interface DesiredAudience {
  id: string
  /** Devices behind this number compare digests. */
  compareSeq: number
  /** Epoch milliseconds of its newest change. */
  updatedAt: number
}

/** What a device last reported. */
export interface ReportedState {
  audienceId: string | null
  cursor: number
  /** Since when the device belongs to the audience it should have, or was last requested again. */
  assignedAt: number
}

/** The latest change of a person within the desired audience. */
export interface PersonChange {
  seq: number
  changedAt: number
}

/** A person the device cannot recognise, reported when it had taken all changes up to `cursor`. */
export interface PersonFailure {
  reason: string
  cursor: number
  since: number
}

export interface PairStatus {
  /** Value of `personSyncStatus`. */
  status: number
  leaving: boolean
  reason: string | null
  /** Epoch milliseconds; null if the pair is neither pending nor failed. */
  since: number | null
}

/** State of a device towards its audience: it has yet to switch to it, to compare digests, or only to take changes. */
export type Standing = 'elsewhere' | 'comparing' | 'following'

export function standingOf(reported: ReportedState, desired: DesiredAudience): Standing {
  if (reported.audienceId !== desired.id) return 'elsewhere'
  return reported.cursor < desired.compareSeq ? 'comparing' : 'following'
}

/** Return since when all persons at a device are pending; null if the device follows, and each change counts on its own. */
export function behindSince(reported: ReportedState, desired: DesiredAudience): number | null {
  const standing = standingOf(reported, desired)
  if (standing === 'following') return null
  return standing === 'elsewhere' ? reported.assignedAt : Math.max(reported.assignedAt, desired.updatedAt)
}

/** Return since when a change is pending: since it was made, or since it was last requested. */
export const changeSince = (change: Pick<PersonChange, 'changedAt'>, reported: Pick<ReportedState, 'assignedAt'>): number =>
  Math.max(change.changedAt, reported.assignedAt)

/** Return the status of a pending person; overtime after `OVERTIME_AFTER_MS`. */
export function waitingStatus(since: number, leaving: boolean, now: number): number {
  if (now - since > OVERTIME_AFTER_MS) return personSyncStatus.overtime
  return leaving ? personSyncStatus.deleting : personSyncStatus.syncing
}

export interface PairFacts {
  reported: ReportedState
  desired: DesiredAudience
  /** Whether the person belongs to the desired audience. */
  member: boolean
  /** Whether the person belongs, as far as is known, to the other audience that the device still has. */
  before: boolean
  change?: PersonChange | undefined
  failure?: PersonFailure | undefined
}

/** Return the status of a person at a device; null if the person neither should be there nor still is. */
export function pairStatusOf({ reported, desired, member, before, change, failure }: PairFacts, now: number): PairStatus | null {
  const wait = (since: number): PairStatus => ({ status: waitingStatus(since, !member, now), leaving: !member, reason: null, since })
  const behind = behindSince(reported, desired)
  const elsewhere = reported.audienceId !== desired.id
  const untaken = change !== undefined && change.seq > reported.cursor
  if (!member) {
    if (elsewhere) return before ? wait(reported.assignedAt) : null
    return untaken ? wait(changeSince(change, reported)) : null
  }
  if (behind !== null) return wait(behind)
  // A person who fails again after a retry keeps the reported failure: the device has taken the retry.
  if (failure !== undefined && Math.max(failure.cursor, reported.cursor) >= (change?.seq ?? 0))
    return { status: failureStatus(failure.reason === PHOTO_MISSING), leaving: false, reason: failure.reason, since: failure.since }
  return untaken ? wait(changeSince(change, reported)) : { status: personSyncStatus.success, leaving: false, reason: null, since: null }
}

/** The reason devices give for a person without a photo. */
export const PHOTO_MISSING: (typeof PERSON_FAILURES)[number] = 'noFace'
/** Return the status of an exception. Without a photo there was nothing to send, which is not a failure. */
export const failureStatus = (photoMissing: boolean): number => (photoMissing ? personSyncStatus.photoMissing : personSyncStatus.failed)

/** Statuses, most urgent first. */
export const STATUS_ORDER: readonly number[] = [
  personSyncStatus.failed,
  personSyncStatus.overtime,
  personSyncStatus.photoMissing,
  personSyncStatus.deleting,
  personSyncStatus.syncing,
  personSyncStatus.success,
]
