/** What a form says of a visit, checked against the configuration of the park, as it comes to be stored. */
import type { FieldIssue } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import type { VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { phoneEndingOf, phoneIndexOf } from '../people/index.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { sealVisit, type VisitDetails } from './details.ts'
import { filesOfValues, ownValues } from './own-fields.ts'
import type { PassRules } from './pass-rules.ts'
import { createFormParts, isFilled } from './form-parts.ts'
import type { FormOrigin, FormValues, StoredVisit, VisitFields } from './form-types.ts'
import { createPictures } from './pictures.ts'
import { visitTimes } from './times.ts'

const DIGITS = { decimal: { pattern: /^[0-9]+$/, rule: 'decimalDigits' }, hex: { pattern: /^[0-9a-f]+$/i, rule: 'hexDigits' } } as const

/** Return which of the methods the visitor has what they ask for. A QR code is always there: it is issued with the right of way. */
export function usableMethods(methods: readonly number[], { photo, card }: { photo: boolean; card: boolean }): number[] {
  const usable: Readonly<Record<number, boolean>> = {
    [accessMethod.face]: photo,
    [accessMethod.card]: card,
    [accessMethod.cardAndFace]: photo && card,
    [accessMethod.qrCode]: true,
    [accessMethod.qrCodeAndFace]: photo,
  }
  return methods.filter((method) => usable[method] === true)
}

/** Return what is wrong with a form by the configuration alone. */
function issuesBy(
  fields: VisitFields,
  stored: StoredVisit | null,
  configuration: VisitorConfiguration,
  open: FormOrigin['open'],
): FieldIssue[] {
  const isAtDesk = fields.source === visitorSource.temporary
  const { intervieweeRequired, certificateRequired, forcedCardIssue, visitReasons } = configuration
  const issues: FieldIssue[] = []
  const demand = (isThere: boolean, path: string, rule = 'required'): void => {
    if (!isThere) issues.push({ path, rule })
  }
  const hasHost = isFilled(fields.intervieweeId) || isFilled(open?.hostName) || (stored !== null && stored.row.hostId === null)
  demand(!intervieweeRequired || hasHost, open === undefined ? 'intervieweeId' : 'host.name')
  demand(visitReasons.includes(fields.reason) || stored?.row.reason === fields.reason, 'reason', 'visitReason')
  if (stored === null && isAtDesk) {
    demand(!certificateRequired || fields.certificateInfo != null, 'certificateInfo.number')
    demand(!forcedCardIssue || isFilled(fields.cardNumber), 'cardNumber')
  }
  const { pattern, rule } = DIGITS[fields.cardNumberFormat ?? configuration.cardFormat]
  demand(!isFilled(fields.cardNumber) || pattern.test(fields.cardNumber), 'cardNumber', rule)
  return issues
}

/** Return what the desk still has to check: its own change settles everything but a host that is not known. */
function checksAfter(stored: StoredVisit | null, hostId: string | null, open: FormOrigin['open']): string[] {
  const before = stored?.row.deskChecks ?? []
  return open === undefined ? before.filter((check) => check === 'host' && hostId === null) : before
}

export function createFormValues(
  platform: Platform,
  needs: Pick<VisitorsDependencies, 'people' | 'groups' | 'reading' | 'organisation' | 'privacy'>,
  configuration: Configuration,
  passRules: PassRules,
): FormValues {
  const { crypto, clock, storage } = platform
  const { organisation, privacy } = needs
  const pictures = createPictures(storage)
  const { groupOf, hostOf, rightsOf, peersOf } = createFormParts(platform, needs, configuration, passRules, pictures)

  return {
    async of(scope, id, fields, stored, { open, language }) {
      const current = configuration.of(scope)
      const issues = issuesBy(fields, stored, current, open)
      if (issues.length > 0) throw new InvalidRequest(issues)
      const visitorGroupId = await groupOf(scope, fields, stored)
      const { groupId, ...host } = await hostOf(scope, fields, stored, open)
      const { visitTime, visitEndTime = null, validDays = null } = fields
      const times = visitTimes(
        { visitTime, visitEndTime, validDays },
        { zone: organisation.park(scope).zone, defaultValidDays: current.defaultValidDays },
      )
      if (times.visitEndAt !== stored?.row.visitEndAt && times.visitEndAt < clock.now())
        throw new InvalidRequest([{ path: validDays === null ? 'visitEndTime' : 'validDays', rule: 'appointmentExpired' }])
      const rights = await rightsOf(scope, fields, stored, { hostGroupId: groupId, visitorGroupId }, open)
      const photoFileId = await pictures.takeOptional(scope, fields.facePhoto, stored?.row.photoFileId ?? null, 'facePhoto')
      const peers = await peersOf(scope, fields, stored)
      const faceConsent = fields.faceConsent ?? stored?.row.faceConsent ?? false
      const hasPhoto = photoFileId !== null || peers.some(({ row }) => row.photoFileId !== null)
      if (hasPhoto && !faceConsent && privacy.consentRequired(scope)) throw new InvalidRequest([{ path: 'faceConsent', rule: 'consent' }])
      const cardNumber = isFilled(fields.cardNumber) ? fields.cardNumber : null
      const has = { photo: photoFileId !== null, card: cardNumber !== null }
      const isAtDesk = stored === null && fields.source === visitorSource.temporary
      if (isAtDesk && current.needAuthorisation && usableMethods(rights.passMethods, has).length === 0)
        throw new InvalidRequest([{ path: 'facePhoto', rule: 'passNeedsCredential' }])
      const own = configuration.form(scope).fields
      const customFields = await ownValues(scope, pictures, own, stored?.row.customFields ?? {}, fields.customFields ?? [])
      const details: VisitDetails = {
        phone: fields.phone,
        email: isFilled(fields.email) ? fields.email : null,
        language: stored?.details.language ?? language,
        cardNumber,
        cardNumberFormat: fields.cardNumberFormat ?? stored?.details.cardNumberFormat ?? current.cardFormat,
        certificate: fields.certificateInfo ?? null,
      }
      return {
        details,
        peers,
        fileIds: [photoFileId, ...peers.map(({ row }) => row.photoFileId), ...filesOfValues(own, customFields)].flatMap(
          (file) => file ?? [],
        ),
        values: {
          name: fields.name,
          details: await sealVisit(crypto, scope, id, details),
          phoneIndex: phoneIndexOf(crypto, scope, fields.phone),
          phoneEnding: phoneEndingOf(crypto, scope, fields.phone),
          visitorGroupId,
          visitorNumber: Math.max(fields.visitorNumber ?? 1, 1 + peers.length),
          ...host,
          reason: fields.reason,
          ...times,
          remark: fields.remark ?? '',
          customFields,
          watchMatches: stored?.row.watchMatches ?? [],
          deskChecks: checksAfter(stored, host.hostId, open),
          ...rights,
          photoFileId,
          faceConsent,
        },
      }
    },
  }
}
