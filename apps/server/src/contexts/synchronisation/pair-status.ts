/** How far one person has reached one device: derived from what the device holds, never stored. */
import type { PERSON_FAILURES } from '@gatehouse/contract/device/protocol'
import { personSyncStatus } from '@gatehouse/contract/enums/access'

/** Without an answer for this long, a person at a device counts as overtime. */
export const OVERTIME_AFTER_MS = 10 * 60_000

/** The audience a device should hold. */
export interface Wanted {
  id: string
  /** Devices behind this number compare digests. */
  compareSeq: number
  /** Epoch milliseconds of its newest change. */
  updatedAt: number
}

/** What a device last said it holds. */
export interface Held {
  audienceId: string | null
  cursor: number
  /** Since when it belongs to the audience it should, or was last asked again. */
  assignedAt: number
}

/** The latest change of a person within the wanted audience. */
export interface PersonChange {
  seq: number
  changedAt: number
}

/** A person the device cannot recognise; said when it had taken all changes up to `cursor`. */
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
  /** Epoch milliseconds; null where nothing is waited for. */
  since: number | null
}

/** How a device stands to its audience: it has yet to come over, to compare, or only to take changes. */
export type Standing = 'elsewhere' | 'comparing' | 'following'

export function standingOf(held: Held, wanted: Wanted): Standing {
  if (held.audienceId !== wanted.id) return 'elsewhere'
  return held.cursor < wanted.compareSeq ? 'comparing' : 'following'
}

/** Since when everybody at a device is waited for; null where it follows, and each change counts on its own. */
export function behindSince(held: Held, wanted: Wanted): number | null {
  const standing = standingOf(held, wanted)
  if (standing === 'following') return null
  return standing === 'elsewhere' ? held.assignedAt : Math.max(held.assignedAt, wanted.updatedAt)
}

/** Since when a change is waited for: since it was made, or since the device was last asked. */
export const changeSince = (change: Pick<PersonChange, 'changedAt'>, held: Pick<Held, 'assignedAt'>): number =>
  Math.max(change.changedAt, held.assignedAt)

/** What is waited for becomes overtime after ten minutes. */
export function waitingStatus(since: number, leaving: boolean, now: number): number {
  if (now - since > OVERTIME_AFTER_MS) return personSyncStatus.overtime
  return leaving ? personSyncStatus.deleting : personSyncStatus.syncing
}

export interface PairFacts {
  held: Held
  wanted: Wanted
  /** The person is of the wanted audience. */
  member: boolean
  /** The person is, as far as is known, of the other audience that the device still holds. */
  before: boolean
  change?: PersonChange | undefined
  failure?: PersonFailure | undefined
}

/** Status of a person at a device; null where the person neither should be there nor still is. */
export function pairStatusOf({ held, wanted, member, before, change, failure }: PairFacts, now: number): PairStatus | null {
  const wait = (since: number): PairStatus => ({ status: waitingStatus(since, !member, now), leaving: !member, reason: null, since })
  const behind = behindSince(held, wanted)
  const elsewhere = held.audienceId !== wanted.id
  const untaken = change !== undefined && change.seq > held.cursor
  if (!member) {
    if (elsewhere) return before ? wait(held.assignedAt) : null
    return untaken ? wait(changeSince(change, held)) : null
  }
  if (behind !== null) return wait(behind)
  // Who fails again after another try stays as he was said to be; the try itself has been taken.
  if (failure !== undefined && Math.max(failure.cursor, held.cursor) >= (change?.seq ?? 0))
    return { status: failureStatus(failure.reason === PHOTO_MISSING), leaving: false, reason: failure.reason, since: failure.since }
  return untaken ? wait(changeSince(change, held)) : { status: personSyncStatus.success, leaving: false, reason: null, since: null }
}

/** The reason devices give for a person without a photo. */
export const PHOTO_MISSING: (typeof PERSON_FAILURES)[number] = 'noFace'
/** Without a photo there is nothing that could have been sent: that has not failed. */
export const failureStatus = (photoMissing: boolean): number => (photoMissing ? personSyncStatus.photoMissing : personSyncStatus.failed)

/** What needs attention comes first. */
export const STATUS_ORDER: readonly number[] = [
  personSyncStatus.failed,
  personSyncStatus.overtime,
  personSyncStatus.photoMissing,
  personSyncStatus.deleting,
  personSyncStatus.syncing,
  personSyncStatus.success,
]
