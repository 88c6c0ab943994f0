/** What a form says of a visit, checked against the configuration of the park, as it comes to be stored. */
import type { FieldIssue, Language, OutputOf } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import type { VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import type { visitCreate } from '@gatehouse/contract/visitors/fields'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import { phoneEndingOf, phoneIndexOf } from '../people/index.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { sealPeer, sealVisit, type PeerDetails, type VisitDetails } from './details.ts'
import { filesOfValues, ownValues } from './own-fields.ts'
import type { PassRules } from './pass-rules.ts'
import type { PeerRow } from './peers-data.ts'
import { createPictures } from './pictures.ts'
import { visitTimes } from './times.ts'
import type { VisitRow, VisitValues } from './visits-data.ts'

export type VisitFields = OutputOf<typeof visitCreate>

/** A companion, details in clear beside the row. */
export interface Peer extends PeerDetails {
  row: Omit<PeerRow, 'visitId'>
}

/** A visit as it is stored now, details in clear. */
export interface StoredVisit {
  row: VisitRow
  details: VisitDetails
  peers: readonly Peer[]
}

/** A visit as it would be stored. */
export interface Draft {
  values: VisitValues
  details: VisitDetails
  peers: Peer[]
  /** Files that the visit refers to. */
  fileIds: string[]
}

/** How a form was made. */
export interface FormOrigin {
  /** Of e-mails to the visitor, unless the visit has one already. */
  language: Language
  /**
   * A visitor sent it through a link: the host is a name that may be nobody's, and where the visitor passes is decided when the visit is
   * accepted.
   */
  open?: { hostName: string }
}

export interface FormValues {
  /** @throws InvalidRequest at the fields that are wrong */
  of(scope: Scope, id: string, fields: VisitFields, stored: StoredVisit | null, origin: FormOrigin): Promise<Draft>
}

const isFilled = (text: string | null | undefined): text is string => text != null && text !== ''

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

export function createFormValues(
  platform: Platform,
  needs: Pick<VisitorsDependencies, 'people' | 'groups' | 'reading' | 'organisation' | 'privacy'>,
  configuration: Configuration,
  passRules: PassRules,
): FormValues {
  const { crypto, clock, storage } = platform
  const { people, groups, reading, organisation, privacy } = needs
  const pictures = createPictures(storage)

  async function groupOf(scope: Scope, { visitorGroupId }: VisitFields, stored: StoredVisit | null): Promise<string> {
    if (visitorGroupId == null) return stored?.row.visitorGroupId ?? people.visitorGroup(scope)
    const [group] = await groups.types(scope, [visitorGroupId])
    if (group === undefined) throw new InvalidRequest([{ path: 'visitorGroupId', rule: 'unknown' }])
    if (group.type !== personGroupType.visitor) throw new InvalidRequest([{ path: 'visitorGroupId', rule: 'notAVisitorGroup' }])
    return visitorGroupId
  }

  /** Return the host; only staff can be visited. */
  async function hostOf(scope: Scope, { intervieweeId }: VisitFields, stored: StoredVisit | null, open: FormOrigin['open']) {
    if (intervieweeId == null)
      return { hostId: null, hostName: stored?.row.hostId === null ? stored.row.hostName : (open?.hostName ?? ''), groupId: null }
    const [person] = await people.facts(scope, [intervieweeId])
    if (person === undefined || person.kind !== 'staff') throw new InvalidRequest([{ path: 'intervieweeId', rule: 'unknown' }])
    const isSame = stored?.row.hostId === intervieweeId
    // A page shows the name as it was typed: the spelling of the register would say that there is such a person.
    return { hostId: intervieweeId, hostName: isSame ? stored.row.hostName : (open?.hostName ?? person.name), groupId: person.groupId }
  }

  /** Return access rules and methods: those of the form, else those there are, else those of the pass rules. */
  async function rightsOf(
    scope: Scope,
    fields: VisitFields,
    stored: StoredVisit | null,
    of: { hostGroupId: string | null; visitorGroupId: string },
    open: FormOrigin['open'],
  ): Promise<{ accessGroupIds: string[]; passMethods: number[] }> {
    const given = await passRules.match(scope, of)
    const chosen = <Value>(sent: readonly Value[] | null | undefined, before: readonly Value[] | undefined, byRule: Value[]): Value[] => [
      ...new Set(sent ?? ((before ?? []).length > 0 ? before! : byRule)),
    ]
    const accessGroupIds = chosen(fields.accessGroupIds, stored?.row.accessGroupIds, given.accessGroupIds)
    const passMethods = chosen<number>(fields.passMethods, stored?.row.passMethods, given.passMethods)
    if (!configuration.of(scope).needAuthorisation || open !== undefined) return { accessGroupIds, passMethods }
    const issues: FieldIssue[] = []
    if (accessGroupIds.length === 0) issues.push({ path: 'accessGroupIds', rule: 'required' })
    if (passMethods.length === 0) issues.push({ path: 'passMethods', rule: 'required' })
    if (issues.length > 0) throw new InvalidRequest(issues)
    const rules = (await reading.findStrategies(seeingAll(scope), accessGroupIds)).filter(({ kind }) => kind === 'visitor')
    if (rules.length < accessGroupIds.length) throw new InvalidRequest([{ path: 'accessGroupIds', rule: 'unknown' }])
    if (passMethods.some((method) => !rules.some(({ methods }) => methods.includes(method))))
      throw new InvalidRequest([{ path: 'passMethods', rule: 'passMethodNotOffered' }])
    return { accessGroupIds: accessGroupIds.toSorted(), passMethods: passMethods.toSorted((one, other) => one - other) }
  }

  async function peersOf(scope: Scope, fields: VisitFields, stored: StoredVisit | null): Promise<Peer[]> {
    const before = new Map((stored?.peers ?? []).map((peer) => [peer.row.id, peer]))
    return Promise.all(
      fields.peers.map(async ({ id: sentId, name, phone, idNumber, facePhoto }, at) => {
        const own = before.get(sentId ?? '')
        if (sentId != null && own === undefined) throw new InvalidRequest([{ path: `peers.${at}.id`, rule: 'unknown' }])
        const id = own?.row.id ?? newId()
        const details = { phone, idNumber: isFilled(idNumber) ? idNumber : null }
        const photoFileId = await pictures.takeOptional(scope, facePhoto, own?.row.photoFileId ?? null, `peers.${at}.facePhoto`)
        // A companion of another name or photo is another person at the doors.
        const isSame = own !== undefined && own.row.name === name && own.row.photoFileId === photoFileId
        const personId = isSame ? own.row.personId : null
        return { ...details, row: { id, name, details: await sealPeer(crypto, scope, id, details), photoFileId, personId } }
      }),
    )
  }

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
          deskChecks: stored?.row.deskChecks ?? [],
          ...rights,
          photoFileId,
          faceConsent,
        },
      }
    },
  }
}
