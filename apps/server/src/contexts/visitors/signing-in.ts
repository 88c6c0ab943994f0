/** Signs visitors in at the desk. */
import { visitorSignInSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { hasRights, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { sealVisit, type Certificate, type VisitDetails } from './details.ts'
import type { MissingRights } from './missing-rights.ts'
import { refusePresent, type VisitParts } from './registering.ts'
import type { StoredVisits } from './stored-visits.ts'
import type { ReadVisit, VisitSteps } from './visit-steps.ts'
import type { VisitChange, VisitRow } from './visits-data.ts'

export interface SignInForm {
  cardNumber?: string | null | undefined
  cardNumberFormat?: 'decimal' | 'hex' | null | undefined
  certificateInfo?: Certificate | null | undefined
}

export interface SigningIn {
  /**
   * Sign a visitor in; return the status after it.
   * @throws Refusal 200401, 200420, 200445, 200207; Hindered; InvalidRequest too early, too late, without what the park demands
   */
  signIn(scope: Scope, visit: ReadVisit, form: SignInForm): Promise<VisitorStatus>
}

const DIGITS = { decimal: /^[0-9]+$/, hex: /^[0-9a-f]+$/i } as const

export function createSigningIn(
  { clock, crypto }: Pick<Platform, 'clock' | 'crypto'>,
  visits: StoredVisits,
  { next, admit }: Pick<VisitSteps, 'next' | 'admit'>,
  missingRights: MissingRights,
  { configuration, numbers }: Pick<VisitParts, 'configuration' | 'numbers'>,
): SigningIn {
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

  return {
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
  }
}
