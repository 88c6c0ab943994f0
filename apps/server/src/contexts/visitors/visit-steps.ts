/** The steps of which every change of a visit consists: at the status that was read, with the right of way that follows from it. */
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { statusAfter, type VisitEvent, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
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

export interface VisitSteps {
  /** Return the status after an event. @throws Refusal 200420, 200424 */
  next(scope: Scope, row: Pick<VisitRow, 'status' | 'enabled'>, read: VisitorStatus, on: VisitEvent): VisitorStatus
  /** Write a change of a visit, which has to be as it was read. @throws Refusal 200401, 200420 */
  write(scope: Scope, stored: StoredVisit, change: VisitChange): Promise<void>
  /** Make a change after which the visitor may pass, or may pass with something else than before. @throws Hindered; Refusal 200207 */
  admit(scope: Scope, stored: StoredVisit, change: VisitChange, details: VisitDetails): Promise<void>
  /** Make a change that gives no right of way. @throws Refusal 200401, 200420, 200424 */
  simply(scope: Scope, visit: ReadVisit, on: VisitEvent, change: Omit<VisitChange, 'status'>, by?: ChangedBy): Promise<void>
}

/** Refuse a visit that is not in the status the caller read, or in which this does not happen. */
const refuseStatus = (row: Pick<VisitRow, 'status'>, on: VisitEvent): never =>
  refuse(on === 'signedOff' && row.status === visitorStatus.signedOff ? 200424 : 200420, 'id')

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
    write: (scope, stored, change) => platform.transaction(async (tx) => write(tx, scope, await lockAsRead(tx, scope, stored), change)),
    async admit(scope, stored, change, details) {
      const { row } = stored
      const after = { status: change.status ?? statusOf(row), enabled: change.enabled ?? row.enabled }
      const isPlain = !rights.applyTo(scope, after)
      if (isPlain) return platform.transaction(async (tx) => write(tx, scope, await lockAsRead(tx, scope, stored), change))
      const terms: VisitTerms = {
        ...row,
        accessGroupIds: change.accessGroupIds ?? row.accessGroupIds,
        passMethods: change.passMethods ?? row.passMethods,
        details,
      }
      const alongside = async (tx: Transaction, personId: string): Promise<void> =>
        write(tx, scope, await lockAsRead(tx, scope, stored), { ...change, personId })
      if (row.personId === null) await rights.grant(scope, terms, alongside)
      else await rights.change(scope, row.personId, { ...row, details: stored.details }, terms, alongside)
      await rights.grantPeers(scope, row.id)
    },
    simply: (scope, { id, status }, on, change, by) =>
      platform.transaction(async (tx) => {
        const row = (await lockVisit(scope, tx, id)) ?? refuse(200401, 'id')
        await write(tx, scope, row, { ...change, status: next(scope, row, status, on) }, by)
      }),
  }
}
