/** The steps of which every change of a visit consists: at the status that was read, with the right of way that follows from it. */
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { statusAfter, type VisitEvent, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { isDeadlock, type Transaction } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { announceStatus } from './announcing.ts'
import type { VisitDetails } from './details.ts'
import type { StoredVisit } from './form-types.ts'
import { isEnded, statusOf } from './policy.ts'
import type { VisitParts } from './registering.ts'
import type { VisitTerms } from './rights.ts'
import { changeVisit, lockVisit, type VisitChange, type VisitRow } from './visits-data.ts'

/** A visit and the status that the caller read. */
export interface ReadVisit {
  id: string
  status: VisitorStatus
}

/** Who made a change: visitors are not sent word of what they do themselves. */
export type ChangedBy = 'user' | 'visitor'

/** Writes in the transaction of a change what belongs to it. @param status after the change */
export type AlongsideChange = (tx: Transaction, status: VisitorStatus) => Promise<void>

/** Where and when a visitor signed in or off. */
export interface VisitOrigin {
  /** A value of `visitorSignInSource`. */
  source: number
  /** Epoch milliseconds of the server's clock. */
  at: number
  /** Return the visit as it was at that moment. */
  asOf(row: VisitRow): VisitRow
  alongside?: AlongsideChange
}

interface SimpleOptions {
  by?: ChangedBy | undefined
  asOf?: VisitOrigin['asOf'] | undefined
  alongside?: AlongsideChange | undefined
}

export interface VisitSteps {
  /** Return the status after an event. @throws Refusal 200420, 200424 */
  next(scope: Scope, row: Pick<VisitRow, 'status' | 'enabled'>, read: VisitorStatus, on: VisitEvent): VisitorStatus
  /** Write a change of a visit, which has to be as it was read. @throws Refusal 200401, 200420 */
  write(scope: Scope, stored: StoredVisit, change: VisitChange): Promise<void>
  /** Make a change after which the visitor may pass, or may pass with something else than before. @throws Hindered; Refusal 200207 */
  admit(scope: Scope, stored: StoredVisit, change: VisitChange, details: VisitDetails, alongside?: AlongsideChange): Promise<void>
  /** Make a change that gives no right of way; return the status after it. @throws Refusal 200401, 200420, 200424 */
  simply(
    scope: Scope,
    visit: ReadVisit,
    on: VisitEvent,
    change: Omit<VisitChange, 'status'>,
    options?: SimpleOptions,
  ): Promise<VisitorStatus>
}

/** Refuse a visit that is not in the status the caller read, or in which this does not happen. */
const refuseStatus = (row: Pick<VisitRow, 'status'>, on: VisitEvent): never =>
  refuse(on === 'signedOff' && row.status === visitorStatus.signedOff ? 200424 : 200420, 'id')

/**
 * Refuse the change of a visit that another one got in the way of: who signs in is locked as a person first, whose right of way ends as a
 * visit. Any other error is thrown unchanged.
 */
function refuseOvertaken(error: unknown): never {
  if (isDeadlock(error)) refuse(200420, 'id')
  throw error
}

export function createVisitSteps(
  platform: Platform,
  { configuration, notices, rights }: Pick<VisitParts, 'configuration' | 'notices' | 'rights'>,
): VisitSteps {
  const { clock } = platform

  /** Return the status after an event. @throws Refusal 200420, 200424 */
  function next(scope: Scope, row: Pick<VisitRow, 'status' | 'enabled'>, read: VisitorStatus, on: VisitEvent): VisitorStatus {
    if (row.status !== read) refuseStatus(row, on)
    if (!row.enabled && on !== 'signedOff') refuse(200420, 'id')
    return statusAfter(statusOf(row), on, configuration.conditions(scope)) ?? refuseStatus(row, on)
  }

  function note(row: VisitRow, after: VisitChange): void {
    const { status, enabled, rejectReason, forced } = after
    platform.audit.note({
      entity: 'visit',
      id: row.id,
      label: row.name,
      labelMask: 'name',
      before: { status: row.status, enabled: row.enabled },
      after: {
        status: status ?? row.status,
        enabled: enabled ?? row.enabled,
        ...(rejectReason !== undefined && { rejectReason }),
        ...(forced === true && { forced }),
      },
    })
  }

  /** Write a change of a visit that is locked, and end its right of way where it has none any more. */
  async function write(tx: Transaction, scope: Scope, row: VisitRow, change: VisitChange, by: ChangedBy = 'user'): Promise<void> {
    const after = { status: change.status ?? statusOf(row), enabled: change.enabled ?? row.enabled }
    const withdrawn = rights.applyTo(scope, after) ? {} : await rights.withdraw(tx, scope, row)
    const now = clock.now()
    const ends = isEnded(after) && !isEnded(row)
    await changeVisit(scope, tx, row.id, { ...change, ...withdrawn, ...(ends && { endedAt: now }) }, now)
    await announceStatus(platform, notices, tx, scope, row.id, { before: statusOf(row), after: after.status })
    note(row, change)
    if (by === 'user') await notices.decided(tx, scope, row, after.status)
  }

  /** Lock a visit that has to be as it was read. @throws Refusal 200401, 200420 */
  async function lockAsRead(tx: Transaction, scope: Scope, { row }: StoredVisit): Promise<VisitRow> {
    const locked = await lockVisit(scope, tx, row.id)
    if (locked === undefined) return refuse(200401, 'id')
    return locked.version === row.version ? locked : refuse(200420, 'id')
  }

  return {
    next,
    write: (scope, stored, change) =>
      platform.transaction(async (tx) => write(tx, scope, await lockAsRead(tx, scope, stored), change)).catch(refuseOvertaken),
    async admit(scope, stored, change, details, alongside) {
      const { row } = stored
      const after = { status: change.status ?? statusOf(row), enabled: change.enabled ?? row.enabled }
      const writeIn = async (tx: Transaction, personId?: string): Promise<void> => {
        const locked = await lockAsRead(tx, scope, stored)
        await write(tx, scope, locked, personId === undefined ? change : { ...change, personId })
        await alongside?.(tx, after.status)
      }
      // Nobody is made known at doors for a time that is over.
      if (!rights.applyTo(scope, after) || row.expiresAt <= clock.now()) return platform.transaction((tx) => writeIn(tx))
      const terms: VisitTerms = {
        ...row,
        accessGroupIds: change.accessGroupIds ?? row.accessGroupIds,
        passMethods: change.passMethods ?? row.passMethods,
        details,
      }
      const admitted =
        row.personId === null
          ? rights.grant(scope, terms, writeIn)
          : rights.change(scope, row.personId, { ...row, details: stored.details }, terms, writeIn)
      await admitted.catch(refuseOvertaken)
      await rights.grantPeers(scope, row.id)
    },
    simply: (scope, { id, status }, on, change, { by, asOf = (row: VisitRow) => row, alongside } = {}) =>
      platform
        .transaction(async (tx) => {
          const row = (await lockVisit(scope, tx, id)) ?? refuse(200401, 'id')
          const after = next(scope, asOf(row), status, on)
          await write(tx, scope, row, { ...change, status: after }, by)
          await alongside?.(tx, after)
          return after
        })
        .catch(refuseOvertaken),
  }
}
