/** The form of a visit: what of it is missing or wrong, and what is sent of it. */
import type { InputOf } from '@gatehouse/contract'
import { VISIT_SPAN_MAX } from '@gatehouse/contract/limits'
import { FORBIDDEN_IN_NAME, phone } from '@gatehouse/contract/people/fields'
import { visitReservation, type appointmentCalls } from '@gatehouse/contract/visitors/appointments'
import type { AnswerOf } from '../../api/http.ts'
import { newKey, type Draft } from './draft.ts'
import { clockIn, instantOf } from './zone.ts'

export type OpenedLink = AnswerOf<typeof appointmentCalls.open>
type Sent = InputOf<(typeof appointmentCalls)['submit']['body']>
/** Keys of texts (`wrong.…`) by field; own fields by their id. */
export type Wrong = Partial<Record<string, string>>

const HOUR = 3_600_000
/** Characters of a name that takes the place of a signature. */
const TYPED_NAME_MIN = 2
const SPAN_MS = VISIT_SPAN_MAX * 24 * HOUR

/** Return the form of a visit of which nothing is typed: from the next full hour, for an hour. */
export function freshDraft({ zone, visitReasons }: OpenedLink, now: number): Draft {
  const start = Math.ceil(now / HOUR) * HOUR
  return {
    key: newKey(),
    name: '',
    phone: '',
    email: '',
    hostName: '',
    hostNumber: '',
    reason: visitReasons.length === 1 ? visitReasons[0]! : null,
    start: clockIn(zone, start),
    end: clockIn(zone, start + HOUR),
    companions: [],
    consent: false,
    accepted: {},
    photo: null,
    own: {},
  }
}

const isName = (name: string): boolean => name.trim() !== '' && !FORBIDDEN_IN_NAME.test(name)
const isPhone = (number: string): boolean => phone.safeParse(number).success

/** Return what keeps a form from being sent. */
export function missingOf(link: OpenedLink, draft: Draft, now: number): Wrong {
  const wrong: Wrong = {}
  const phones = [draft.phone, ...draft.companions.map((one) => one.phone.trim())]
  if (link.invitation === null) {
    const [start, end] = [instantOf(link.zone, draft.start), instantOf(link.zone, draft.end)]
    if (!isName(draft.name)) wrong['name'] = 'name'
    if (!isPhone(draft.phone)) wrong['phone'] = 'phone'
    if (link.hostRequired && draft.hostName.trim() === '') wrong['host'] = 'host'
    if (draft.reason === null) wrong['reason'] = 'reason'
    if (start === null || end === null || end <= start || end - start >= SPAN_MS) wrong['time'] = 'time'
    else if (end < now) wrong['time'] = 'over'
  }
  if (!visitReservation.shape.email.safeParse(draft.email.trim()).success) wrong['email'] = 'email'
  const arePeers = draft.companions.every((one) => isName(one.name) && isPhone(one.phone)) && new Set(phones).size === phones.length
  if (!arePeers) wrong['peers'] = 'peers'
  for (const { id, required } of link.fields) if (required && !draft.own[id]) wrong[id] = 'required'
  if (draft.photo !== null && link.consentRequired && !draft.consent) wrong['consent'] = 'consent'
  for (const { documentId, agreement } of link.documents) {
    const { ticked = false, strokes = [], typedName = '' } = draft.accepted[documentId] ?? {}
    if (agreement === 'tick' && !ticked) wrong[documentId] = 'agreement'
    if (agreement === 'sign' && strokes.length === 0 && typedName.trim().length < TYPED_NAME_MIN) wrong[documentId] = 'signature'
  }
  return wrong
}

/** Return what was accepted, as it was shown. */
function acceptedOf({ documents }: OpenedLink, { accepted }: Draft): NonNullable<Sent['documents']> {
  return documents.map(({ documentId, documentVersion, language, agreement }) => {
    const shown = { documentId, documentVersion, language }
    const { strokes = [], typedName = '' } = accepted[documentId] ?? {}
    if (agreement === 'tick') return shown
    return strokes.length > 0 ? { ...shown, strokes } : { ...shown, typedName: typedName.trim() }
  })
}

/** Return what is sent of a form that lacks nothing. */
export function sentOf(link: OpenedLink, draft: Draft): Sent {
  const own = link.fields.flatMap(({ id }) => (draft.own[id] ? [{ id, value: draft.own[id] }] : []))
  const peers = draft.companions.map((one) => ({ name: one.name.trim(), phone: one.phone.trim() }))
  const both = {
    key: draft.key,
    email: draft.email.trim(),
    peers,
    faceConsent: draft.consent,
    consentShown: { language: link.consentLanguage, textVersion: link.consentVersion },
    documents: acceptedOf(link, draft),
    customFields: own,
    ...(draft.photo !== null && { facePhoto: draft.photo.url }),
  }
  if (link.invitation !== null) return both
  return {
    ...both,
    name: draft.name.trim(),
    phone: draft.phone.trim(),
    reason: draft.reason as Sent['reason'],
    visitTime: instantOf(link.zone, draft.start)!,
    visitEndTime: instantOf(link.zone, draft.end)!,
    ...(draft.hostName.trim() !== '' && { host: { name: draft.hostName.trim(), number: draft.hostNumber.trim() } }),
  }
}

/** Return the field of the page at which a refusal of the server is shown. */
export function fieldOf(link: OpenedLink, path: string): string {
  const [first = '', second = ''] = path.split('.')
  if (first === 'customFields') return second
  if (first === 'documents' && second !== '') return link.documents[Number(second)]?.documentId ?? first
  return { visitTime: 'time', visitEndTime: 'time', faceConsent: 'consent' }[first] ?? first
}
