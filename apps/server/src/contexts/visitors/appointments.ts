/**
 * What the pages of visitors and hosts do. A page without a session is answered the same whoever the visitor is: whether a phone is that of
 * a member of staff, of a person of the watch list, or of a visitor who is not signed off, and whether a host exists, decides only what the
 * desk reads of the visit (`deskChecks`). Every such visit waits; see `registering.ts`.
 */
import type { DataOf, Language } from '@gatehouse/contract'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import type {
  Appointment,
  AppointmentState,
  HostVisit,
  VisitReservation,
  appointmentCalls,
} from '@gatehouse/contract/visitors/appointments'
import { choicesOf, type VisitorField } from '@gatehouse/contract/visitors/configuration'
import { statusAfter, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Acting } from './acting.ts'
import type { Changing } from './changing.ts'
import type { Configuration } from './configuration.ts'
import { consentOf, consentTextOf } from './consent.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { keepConsent } from './documents-data.ts'
import type { Documents } from './documents.ts'
import type { LinkTokens } from './link-tokens.ts'
import { countVisit, findLinkUnscoped, lockLink, type LinkRow } from './links-data.ts'
import { pictureOf, type Passes } from './passes.ts'
import { statusOf } from './policy.ts'
import type { Registering } from './registering.ts'
import { formOf, reservationOf } from './reservation-form.ts'
import type { SignedDocuments } from './signed-documents.ts'
import { findVisits, type VisitRow } from './visits-data.ts'

type Place = Pick<Appointment, 'parkName' | 'companyName' | 'address' | 'coordinates' | 'zone'>

export interface Appointments {
  /** @throws InvalidRequest for an invitation that was used */
  open(link: LinkRow, language: Language): Promise<DataOf<(typeof appointmentCalls)['open']>>
  /** @throws InvalidRequest; Refusal 200225, 900007, 900114 */
  submit(link: LinkRow, sent: VisitReservation, language: Language): Promise<DataOf<(typeof appointmentCalls)['submit']>>
  status(link: LinkRow): Promise<Appointment>
  /** @throws Refusal 200401, 200420 */
  cancel(link: LinkRow): Promise<AppointmentState>
  hostOpen(link: LinkRow): Promise<HostVisit>
  /** @throws Refusal 200401, 200420, 200207; InvalidRequest; Hindered */
  hostAccept(link: LinkRow, read: VisitorStatus): Promise<AppointmentState>
  /** @throws Refusal 200401, 200420 */
  hostRefuse(link: LinkRow, read: VisitorStatus, reason: string): Promise<AppointmentState>
}

interface AppointmentParts {
  acting: Acting
  changing: Changing
  configuration: Configuration
  documents: Pick<Documents, 'shown' | 'accepted'>
  passes: Pick<Passes, 'passOf'>
  registering: Registering
  signed: Pick<SignedDocuments, 'writing'>
  tokens: LinkTokens
}

const STATES: Readonly<Record<VisitorStatus, AppointmentState>> = {
  [visitorStatus.toConfirm]: 'waiting',
  [visitorStatus.pendingReview]: 'waiting',
  [visitorStatus.notYetVisited]: 'accepted',
  [visitorStatus.awaitingVerification]: 'arrived',
  [visitorStatus.checkedIn]: 'arrived',
  [visitorStatus.signedOff]: 'over',
  [visitorStatus.left]: 'over',
  [visitorStatus.expired]: 'expired',
  [visitorStatus.refused]: 'refused',
  [visitorStatus.cancelled]: 'cancelled',
}
const DECIDABLE: readonly number[] = [visitorStatus.toConfirm, visitorStatus.pendingReview]

/** A visit that was blocked is shown as one that waits: why it is blocked is the desk's matter. */
const stateOf = (row: Pick<VisitRow, 'status' | 'enabled'>): AppointmentState => (row.enabled ? STATES[statusOf(row)] : 'waiting')

const linkEnded = (): InvalidRequest => new InvalidRequest([{ path: 'token', rule: 'linkEnded' }])
/** Thrown out of a transaction whose visit was made by another request meanwhile. */
class MadeAlready extends Error {}

const scopeOf = ({ parkId }: LinkRow): Scope => ({ parkId })

/** Return where visitors come to. */
function placeIn(scope: Scope, organisation: VisitorsDependencies['organisation'], configuration: Configuration): Place {
  const { name, zone } = organisation.park(scope)
  const { companyName, address, coordinates } = configuration.of(scope)
  return { parkName: name, companyName, address, coordinates, zone }
}

const isUsed = ({ kind, visits: made }: LinkRow): boolean => kind === 'invitation' && made > 0

/** Return what writes the link of the visit that a link makes, in the transaction that makes it. */
const linkingVisit =
  (tokens: LinkTokens, link: LinkRow, token: string) =>
  async (tx: Transaction, visit: { id: string; expiresAt: number }): Promise<void> => {
    const scope = scopeOf(link)
    const locked = await lockLink(scope, tx, link.id)
    if (locked === undefined || isUsed(locked)) throw new MadeAlready()
    const { address } = link
    const id = await tokens.store(tx, scope, { kind: 'visit', token, visitId: visit.id, address, expiresAt: visit.expiresAt })
    if (id === null) throw new MadeAlready()
    await countVisit(scope, tx, link.id, link.kind === 'invitation' ? visit.id : null)
  }

/** Return whether a host may accept or refuse a visit: not one that the desk still has to check. */
const isDecidable = ({ status, enabled, deskChecks }: VisitRow): boolean => DECIDABLE.includes(status) && enabled && deskChecks.length === 0

/** Return an own field as a link shows it. */
const openFieldOf = ({ id, displayName: title, inputType, values, required }: VisitorField) => ({
  id,
  title,
  inputType,
  choices: choicesOf(values),
  required,
})

/** Return what a host sees of a visit. */
const hostVisitOf = (row: VisitRow): Omit<HostVisit, keyof Place> => ({
  state: stateOf(row),
  status: statusOf(row),
  visitorName: row.name,
  hostName: row.hostName,
  reason: row.reason as HostVisit['reason'],
  visitorNumber: row.visitorNumber,
  visitTime: row.visitAt,
  visitEndTime: row.visitEndAt,
  canDecide: isDecidable(row),
})

/** Return what makes the visit of a form, or completes that of an invitation, with what its visitor accepted. */
function createMaking(
  needs: Pick<VisitorsDependencies, 'organisation' | 'people' | 'privacy'>,
  {
    changing,
    documents,
    registering,
    signed,
    tokens,
  }: Pick<AppointmentParts, 'changing' | 'documents' | 'registering' | 'signed' | 'tokens'>,
  visitOf: (link: LinkRow) => Promise<VisitRow>,
): (link: LinkRow, sent: VisitReservation, token: string, language: Language) => Promise<void> {
  return async (link, sent, token, language) => {
    const scope = scopeOf(link)
    const caller = { operator: '', masking: false, language }
    const name = link.visitId === null ? (sent.name ?? '') : (await visitOf(link)).name
    const writeSigned = await signed.writing(scope, name, await documents.accepted(scope, sent.documents))
    const consent = consentOf(needs, scope, sent, language)
    const writeLink = linkingVisit(tokens, link, token)
    const write = async (tx: Transaction, visit: { id: string; expiresAt: number }): Promise<void> => {
      await writeLink(tx, visit)
      await writeSigned(tx, visit.id)
      if (consent !== null) await keepConsent(scope, tx, visit.id, consent)
    }
    if (link.visitId !== null) {
      await changing.change(scope, link.visitId, undefined, formOf(sent), caller, { alongside: write })
      return
    }
    const { fields, hostName, checks } = await reservationOf(needs, scope, sent)
    await registering.create(scope, fields, caller, { hostName, checks, alongside: write })
  }
}

export function createAppointments(
  platform: Platform,
  needs: Pick<VisitorsDependencies, 'organisation' | 'people' | 'privacy'>,
  { acting, changing, configuration, documents, passes, registering, signed, tokens }: AppointmentParts,
): Appointments {
  const { db, clock } = platform
  const { organisation, privacy } = needs

  const placeOf = (scope: Scope): Place => placeIn(scope, organisation, configuration)

  /** Return the visit of a link. @throws InvalidRequest as for a link that has ended */
  async function visitOf(link: LinkRow): Promise<VisitRow> {
    const [row] = link.visitId === null ? [] : await findVisits(scopeOf(link), db, [link.visitId])
    if (row === undefined) throw linkEnded()
    return row
  }

  /** Enter what is changed in the operation log as done by nobody who has an account. */
  const actAsHolder = ({ parkId }: LinkRow): void =>
    platform.audit.actAs({ parkId, userId: null, account: '', operator: '', source: 'local' })

  /** Return what a form answered whose visit is there already; null where it is not. */
  async function answerOf(token: string): Promise<DataOf<(typeof appointmentCalls)['submit']> | null> {
    const link = await findLinkUnscoped(db, tokens.hashOf(token), clock.now())
    return link === undefined ? null : { token, state: stateOf(await visitOf(link)) }
  }

  const make = createMaking(needs, { changing, documents, registering, signed, tokens }, visitOf)

  async function decidable(link: LinkRow): Promise<VisitRow> {
    const row = await visitOf(link)
    if (!isDecidable(row)) refuse(200420, 'status')
    return row
  }

  return {
    async open(link, language) {
      if (isUsed(link)) throw linkEnded()
      const scope = scopeOf(link)
      const row = link.visitId === null ? null : await visitOf(link)
      const { visitReasons, intervieweeRequired, certificateRequired } = configuration.of(scope)
      const consent = consentTextOf(needs, scope, language)
      const shown = await documents.shown(scope, language)
      return {
        ...placeOf(scope),
        invitation: row && { name: row.name, hostName: row.hostName, visitTime: row.visitAt, visitEndTime: row.visitEndAt },
        visitReasons,
        fields: configuration.form(scope).fields.map((field) => openFieldOf(field)),
        hostRequired: intervieweeRequired,
        certificateRequired,
        consentText: consent.text,
        consentLanguage: consent.language,
        consentVersion: consent.version,
        documents: shown.map(({ versionId: _, ...document }) => document),
        consentRequired: privacy.consentRequired(scope),
        expiresAt: link.expiresAt,
      }
    },
    async submit(link, sent, language) {
      actAsHolder(link)
      const token = tokens.ofVisit(link.id, sent.key)
      const before = await answerOf(token)
      if (before !== null) return before
      if (isUsed(link)) throw linkEnded()
      await make(link, sent, token, language).catch((error: unknown) => {
        if (!(error instanceof MadeAlready)) throw error
      })
      return (await answerOf(token)) ?? Promise.reject(linkEnded())
    },
    async status(link) {
      const row = await visitOf(link)
      const scope = scopeOf(link)
      const pass = await passes.passOf(scope, row.id)
      return {
        ...placeOf(scope),
        state: stateOf(row),
        name: row.name,
        hostName: row.hostName,
        visitorNumber: row.visitorNumber,
        visitTime: row.visitAt,
        visitEndTime: row.visitEndAt,
        canCancel: row.enabled && statusAfter(statusOf(row), 'revoked', configuration.conditions(scope)) !== null,
        pass: pass && { text: pass.text, qr: await pictureOf(pass.text) },
      }
    },
    async cancel(link) {
      actAsHolder(link)
      const row = await visitOf(link)
      // The button was pressed twice, or the answer was lost.
      if (row.status === visitorStatus.cancelled) return 'cancelled'
      await acting.revoke(scopeOf(link), { id: row.id, status: statusOf(row) }, 'visitor')
      return 'cancelled'
    },
    async hostOpen(link) {
      return { ...placeOf(scopeOf(link)), ...hostVisitOf(await visitOf(link)) }
    },
    async hostAccept(link, status) {
      actAsHolder(link)
      const { id } = await decidable(link)
      await acting.accept(scopeOf(link), { id, status })
      return 'accepted'
    },
    async hostRefuse(link, status, reason) {
      actAsHolder(link)
      const { id } = await decidable(link)
      await acting.refuse(scopeOf(link), { id, status }, reason)
      return 'refused'
    },
  }
}
