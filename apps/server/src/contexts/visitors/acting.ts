/**
 * What happens to visits: they are accepted, refused, cancelled, signed in and signed off. Each change is made at the status that the
 * caller read (VAL-097), in the transaction that gives or takes the right of way.
 */
import { visitorSignInSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { hasRights, statusAfter, type VisitEvent, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { announceStatus } from './announcing.ts'
import { sealVisit, type Certificate, type VisitDetails } from './details.ts'
import type { StoredVisit } from './form-values.ts'
import type { PassRules } from './pass-rules.ts'
import { isEnded, statusOf } from './policy.ts'
import { refusePresent, type VisitParts } from './registering.ts'
import type { VisitTerms } from './rights.ts'
import type { StoredVisits } from './stored-visits.ts'
import { changeVisit, lockVisit, type VisitChange, type VisitRow } from './visits-data.ts'

/** A visit and the status that the caller read. */
export interface ReadVisit {
  id: string
  status: VisitorStatus
}

export interface Acting {
  /** @throws Refusal 200401, 200420, 200207; InvalidRequest; Hindered */
  accept(scope: Scope, visit: ReadVisit): Promise<void>
  /** @throws Refusal 200401, 200420 */
  refuse(scope: Scope, visit: ReadVisit, rejectReason: string): Promise<void>
  /** @param by a visitor who cancels is sent no e-mail about it @throws Refusal 200401, 200420 */
  revoke(scope: Scope, visit: ReadVisit, by?: 'user' | 'visitor'): Promise<void>
  /** Return the status after it. @throws as accept; Refusal 200445; InvalidRequest too early, too late, without what the park demands */
  signIn(scope: Scope, visit: ReadVisit, with_: SignInForm): Promise<VisitorStatus>
  /** @throws Refusal 200401, 200420, 200424; InvalidRequest where a card is not returned, or nobody signs off by hand */
  signOff(scope: Scope, visit: ReadVisit, how: { cardReturned: boolean; forced: boolean }): Promise<void>
  /** Block or unblock a visit; return whether that changed it. @throws Refusal 200401, 200420 a visit that is over */
  setEnabled(scope: Scope, id: string, enabled: boolean): Promise<boolean>
}

export interface SignInForm {
  cardNumber?: string | null | undefined
  cardNumberFormat?: 'decimal' | 'hex' | null | undefined
  certificateInfo?: Certificate | null | undefined
}

const DIGITS = { decimal: /^[0-9]+$/, hex: /^[0-9a-f]+$/i } as const

/** Refuse a visit that is not in the status the caller read, or in which this does not happen. */
const refuseStatus = (row: Pick<VisitRow, 'status'>, on: VisitEvent): never =>
  refuse(on === 'signedOff' && row.status === visitorStatus.signedOff ? 200424 : 200420, 'id')

export function createActing(
  platform: Platform,
  visits: StoredVisits,
  passRules: PassRules,
  hostGroupOf: (scope: Scope, hostId: string | null) => Promise<string | null>,
  { configuration, notices, numbers, rights }: VisitParts,
): Acting {
  const { db: _, clock, crypto } = platform

  /** Return the status after an event. @throws Refusal 200420, 200424 */
  function next(scope: Scope, row: Pick<VisitRow, 'status' | 'enabled'>, read: VisitorStatus, on: VisitEvent): VisitorStatus {
    if (row.status !== read) refuseStatus(row, on)
    if (!row.enabled && on !== 'signedOff') refuse(200420, 'id')
    return statusAfter(statusOf(row), on, configuration.circumstances(scope)) ?? refuseStatus(row, on)
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
  async function write(tx: Transaction, scope: Scope, row: VisitRow, change: VisitChange, by: 'user' | 'visitor' = 'user'): Promise<void> {
    const after = { status: change.status ?? statusOf(row), enabled: change.enabled ?? row.enabled }
    const withdrawn = rights.applyTo(scope, after) ? {} : await rights.withdraw(tx, scope, row)
    const now = clock.now()
    const ends = isEnded(after) && !isEnded(row)
    await changeVisit(scope, tx, row.id, { ...change, ...withdrawn, ...(ends && { endedAt: now }) }, now)
    await announceStatus(platform, tx, scope, row.id, { before: statusOf(row), after: after.status })
    note(row, change)
    if (by === 'user') await notices.decided(tx, scope, row, after.status)
  }

  /** Lock a visit that has to be as it was read. @throws Refusal 200401, 200420 */
  async function lockAsRead(tx: Transaction, scope: Scope, { row }: StoredVisit): Promise<VisitRow> {
    const locked = await lockVisit(scope, tx, row.id)
    if (locked === undefined) return refuse(200401, 'id')
    return locked.version === row.version ? locked : refuse(200420, 'id')
  }

  /** Make a change after which the visitor may pass, or may pass with something else than before. */
  async function admit(scope: Scope, stored: StoredVisit, change: VisitChange, details: VisitDetails): Promise<void> {
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
  }

  /** Return what a visit without access rules or methods is given. @throws InvalidRequest where no pass rule gives any */
  async function missingRights(scope: Scope, row: VisitRow): Promise<VisitChange> {
    if (!configuration.of(scope).needAuthorisation || (row.accessGroupIds.length > 0 && row.passMethods.length > 0)) return {}
    const given = await passRules.match(scope, { hostGroupId: await hostGroupOf(scope, row.hostId), visitorGroupId: row.visitorGroupId })
    if (given.accessGroupIds.length === 0) throw new InvalidRequest([{ path: 'accessGroupIds', rule: 'required' }])
    return given
  }

  function assertInTime(scope: Scope, { visitAt, expiresAt }: VisitRow): void {
    const minutes = configuration.of(scope).signInLeadMinutes
    const now = clock.now()
    if (now > expiresAt) throw new InvalidRequest([{ path: 'id', rule: 'appointmentExpired' }])
    if (now < visitAt - minutes * 60_000) throw new InvalidRequest([{ path: 'id', rule: 'visitTooEarly', params: { minutes } }])
  }

  /** Return what of a visitor the sign-in changes. @throws InvalidRequest */
  function detailsAfter(scope: Scope, details: VisitDetails, form: SignInForm): VisitDetails {
    const { forcedCardIssue, cardFormat } = configuration.of(scope)
    const format = form.cardNumberFormat ?? (form.cardNumber == null ? details.cardNumberFormat : cardFormat)
    const after = {
      ...details,
      ...(form.cardNumber != null && { cardNumber: form.cardNumber, cardNumberFormat: format }),
      ...(form.certificateInfo != null && { certificate: form.certificateInfo }),
    }
    if (forcedCardIssue && after.cardNumber === null) throw new InvalidRequest([{ path: 'cardNumber', rule: 'required' }])
    if (form.cardNumber != null && !DIGITS[format].test(form.cardNumber))
      throw new InvalidRequest([{ path: 'cardNumber', rule: format === 'hex' ? 'hexDigits' : 'decimalDigits' }])
    return after
  }

  /** A visitor who shows the certificate at once passes through both statuses. */
  function statusAtDesk(scope: Scope, row: VisitRow, read: VisitorStatus, isVerified: boolean): VisitorStatus {
    if (row.status === visitorStatus.awaitingVerification) {
      if (!isVerified) throw new InvalidRequest([{ path: 'certificateInfo.number', rule: 'required' }])
      return next(scope, row, read, 'verified')
    }
    const arrived = next(scope, row, read, 'signedIn')
    return arrived === visitorStatus.awaitingVerification && isVerified
      ? next(scope, { ...row, status: arrived }, arrived, 'verified')
      : arrived
  }

  const simply = (
    scope: Scope,
    { id, status }: ReadVisit,
    on: VisitEvent,
    change: Omit<VisitChange, 'status'>,
    by?: 'user' | 'visitor',
  ): Promise<void> =>
    platform.transaction(async (tx) => {
      const row = (await lockVisit(scope, tx, id)) ?? refuse(200401, 'id')
      await write(tx, scope, row, { ...change, status: next(scope, row, status, on) }, by)
    })

  return {
    async accept(scope, { id, status }) {
      const stored = await visits.existing(scope, id)
      const { row, details } = stored
      const after = next(scope, row, status, 'accepted')
      // BEH-171; the status follows within a minute.
      if (row.visitEndAt < clock.now()) throw new InvalidRequest([{ path: 'id', rule: 'appointmentExpired' }])
      await admit(scope, stored, { ...(await missingRights(scope, row)), status: after }, details)
    },
    refuse: (scope, visit, rejectReason) => simply(scope, visit, 'refused', { rejectReason }),
    revoke: (scope, visit, by) => simply(scope, visit, 'revoked', {}, by),
    async signIn(scope, { id, status }, form) {
      const stored = await visits.existing(scope, id)
      const { row } = stored
      const after = statusAtDesk(scope, row, status, form.certificateInfo != null)
      assertInTime(scope, row)
      const details = detailsAfter(scope, stored.details, form)
      await numbers.check(scope, { phone: details.phone, peers: stored.peers }, id)
      const watchMatches = await numbers.matches(scope, {
        idNumber: details.certificate?.number ?? null,
        photoFileId: row.photoFileId,
      })
      const given = hasRights(after, configuration.of(scope)) ? await missingRights(scope, row) : {}
      const change: VisitChange = {
        ...given,
        status: after,
        watchMatches,
        details: await sealVisit(crypto, scope, id, details),
        signInSource: visitorSignInSource.web,
        ...(row.enteredAt === null && { enteredAt: clock.now() }),
      }
      await admit(scope, stored, change, details).catch(refusePresent)
      return after
    },
    async signOff(scope, { id, status }, { cardReturned, forced }) {
      const { row, details } = await visits.existing(scope, id)
      next(scope, row, status, 'signedOff')
      if (!forced && !configuration.of(scope).openSignOff) throw new InvalidRequest([{ path: 'forced', rule: 'signOffClosed' }])
      if (!forced && !cardReturned && details.cardNumber !== null)
        throw new InvalidRequest([{ path: 'cardReturned', rule: 'cardNotReturned' }])
      await simply(scope, { id, status }, 'signedOff', { signedOffAt: clock.now(), forced, cardReturned })
    },
    async setEnabled(scope, id, enabled) {
      const stored = await visits.existing(scope, id)
      if (stored.row.enabled === enabled) return false
      if (!enabled && isEnded(stored.row)) refuse(200420, 'id')
      if (enabled) await admit(scope, stored, { enabled }, stored.details)
      else await platform.transaction(async (tx) => write(tx, scope, await lockAsRead(tx, scope, stored), { enabled }))
      return true
    },
  }
}
