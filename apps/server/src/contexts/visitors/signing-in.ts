/** Signs visitors in, at the desk and at visitor machines. */
import { visitorSignInSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { hasRights, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { sealVisit, type Certificate, type VisitDetails } from './details.ts'
import type { MissingRights } from './missing-rights.ts'
import { refusePresent, type VisitParts } from './registering.ts'
import type { StoredVisits } from './stored-visits.ts'
import type { ReadVisit, VisitOrigin, VisitSteps } from './visit-steps.ts'
import type { VisitChange, VisitRow } from './visits-data.ts'

export interface SignInForm {
  cardNumber?: string | null | undefined
  cardNumberFormat?: 'decimal' | 'hex' | null | undefined
  certificateInfo?: Certificate | null | undefined
}

export interface SigningIn {
  /**
   * Sign a visitor in; return the status after it.
   * @param origin absent: the desk, now
   * @throws Refusal 200401, 200420, 200445, 200207; Hindered; InvalidRequest too early, too late, without what the park demands
   */
  signIn(scope: Scope, visit: ReadVisit, form: SignInForm, origin?: VisitOrigin): Promise<VisitorStatus>
}

const DIGITS = { decimal: /^[0-9]+$/, hex: /^[0-9a-f]+$/i } as const

export function createSigningIn(
  { clock, crypto }: Pick<Platform, 'clock' | 'crypto'>,
  visits: StoredVisits,
  { next, admit }: Pick<VisitSteps, 'next' | 'admit'>,
  missingRights: MissingRights,
  { configuration, numbers }: Pick<VisitParts, 'configuration' | 'numbers'>,
): SigningIn {
  function assertInTime(scope: Scope, { visitAt, expiresAt }: VisitRow, at: number): void {
    const minutes = configuration.of(scope).signInLeadMinutes
    if (at > expiresAt) throw new InvalidRequest([{ path: 'id', rule: 'appointmentExpired' }])
    if (at < visitAt - minutes * 60_000) throw new InvalidRequest([{ path: 'id', rule: 'visitTooEarly', params: { minutes } }])
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
  function statusThere(scope: Scope, row: VisitRow, read: VisitorStatus, isVerified: boolean): VisitorStatus {
    if (row.status === visitorStatus.awaitingVerification) {
      if (!isVerified) throw new InvalidRequest([{ path: 'certificateInfo.number', rule: 'required' }])
      return next(scope, row, read, 'verified')
    }
    const arrived = next(scope, row, read, 'signedIn')
    return arrived === visitorStatus.awaitingVerification && isVerified
      ? next(scope, { ...row, status: arrived }, arrived, 'verified')
      : arrived
  }

  return {
    async signIn(scope, { id, status }, form, origin = { source: visitorSignInSource.web, at: clock.now(), asOf: (row) => row }) {
      const stored = await visits.existing(scope, id)
      const { row } = stored
      const after = statusThere(scope, origin.asOf(row), status, form.certificateInfo != null)
      assertInTime(scope, row, origin.at)
      const details = detailsAfter(scope, stored.details, form)
      await numbers.check(scope, { phone: details.phone, peers: stored.peers }, id)
      const watchMatches = await numbers.matches(scope, {
        idNumber: details.certificate?.number ?? null,
        photoFileId: row.photoFileId,
      })
      const isOver = row.expiresAt <= clock.now()
      const given = hasRights(after, configuration.of(scope)) && !isOver ? await missingRights(scope, row) : {}
      const change: VisitChange = {
        ...given,
        status: after,
        watchMatches,
        details: await sealVisit(crypto, scope, id, details),
        signInSource: origin.source,
        ...(row.enteredAt === null && { enteredAt: origin.at }),
      }
      await admit(scope, stored, change, details, origin.alongside).catch(refusePresent)
      return after
    },
  }
}
