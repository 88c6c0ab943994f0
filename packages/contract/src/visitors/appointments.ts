/**
 * Links for visitors and their hosts, and the calls of the pages that these links open. The pages have no session: a link's token, in the
 * header of each call, is all they have.
 */
import { z } from 'zod'
import { email } from '../account.ts'
import { callsOf } from '../call.ts'
import { LANGUAGES } from '../envelope.ts'
import { customFieldInputType, visitReason, visitorStatus } from '../enums/visitors.ts'
import { FACE_REFUSALS } from '../faces/refusals.ts'
import { FACE_FILE_MAX, PARK_LINK_MAX, PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX, TEXT_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { personName, phone } from '../people/fields.ts'
import { consoleAddress, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'
import { DOCUMENTS_MAX, acceptedDocument, openDocument } from './signing.ts'
import { PEERS_MAX, VISITOR_NUMBER_MAX, consistent, picture, visitMoment, visitorValue } from './fields.ts'

const call = callsOf('visitors')

/**
 * `park`: a code at the gate, for any number of visits. `invitation`: for one visitor, with a visit that a user made or for a visit that
 * the visitor makes. `visit`: state of a visit for its visitor. `host`: a visit for its host to decide on.
 */
export const VISITOR_LINK_KINDS = ['park', 'invitation', 'visit', 'host'] as const
export type VisitorLinkKind = (typeof VISITOR_LINK_KINDS)[number]
/** Those that users make; the others come with a visit. */
const MADE_KINDS = ['park', 'invitation', 'host'] as const

const visitorLink = z.object({
  id,
  kind: z.enum(VISITOR_LINK_KINDS),
  visitId: id.nullable(),
  visitorName: masked('name', z.string()),
  /** Visits that were made by it. */
  visits: z.number().int(),
  createdAt: instant,
  expiresAt: instant,
})
export type VisitorLink = z.output<typeof visitorLink>

const ofUsers = { service: 'visitor', permission: 'visitor.temporary.edit', origin: 'own' } as const

export const visitorLinkCalls = {
  links: call({
    ...ofUsers,
    method: 'GET',
    path: '/visitor/link/list',
    summary: 'Links for visitors and hosts that still open, the newest first.',
    query: pageQuery.extend({ kind: z.enum(VISITOR_LINK_KINDS).optional() }),
    data: pageData(visitorLink),
  }),
  createLink: call({
    ...ofUsers,
    method: 'POST',
    path: '/visitor/link',
    summary:
      'Makes a link: for the gate, valid for 24 hours; for an invitation, 2 hours; for a host, until the visit ends. The address ' +
      'is shown once.',
    body: z
      .object({
        kind: z.enum(MADE_KINDS),
        /** A visit that a user made as an invitation, or the visit that the host decides on. */
        visitId: id.nullish(),
        /** Hours from now until it ends, other than usual. Not for hosts. */
        hours: z.number().int().min(1).max(PARK_LINK_MAX).nullish(),
        /** Address of the console: the link begins with it if the installation has no address of its own. */
        address: consoleAddress.nullish(),
        /** Sends an invitation to the e-mail address of its visit, where a mail server is set up. */
        mail: z.boolean().nullish(),
        /** Sends an invitation to the phone of its visit, where the park sends text messages. */
        text: z.boolean().nullish(),
      })
      .refine(({ kind, visitId }) => kind !== 'host' || visitId != null, { path: ['visitId'], ...rule('required') })
      .refine(({ kind, visitId }) => kind !== 'park' || visitId == null, { path: ['visitId'], ...rule('invalid') }),
    /** `qr`: a data address of a picture. `mailed`, `texted`: an e-mail, a text message is on its way. */
    data: z.object({
      id,
      url: z.string(),
      qr: z.string(),
      expiresAt: instant,
      localOnly: z.boolean(),
      mailed: z.boolean(),
      texted: z.boolean(),
    }),
    errors: [200401, 200420],
  }),
  revokeLink: call({
    ...ofUsers,
    method: 'DELETE',
    path: '/visitor/link/{id}',
    summary: 'Ends a link.',
    params: idParams,
    data: created,
  }),
}

/** Where a park is and what it is called. */
const place = z.object({
  parkName: z.string(),
  companyName: z.string(),
  address: z.string(),
  coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  /** IANA name of the zone in which dates and times are shown. */
  zone: z.string(),
})

const openField = z.object({
  id,
  title: z.string(),
  inputType: customFieldInputType.schema,
  choices: z.array(z.string()),
  required: z.boolean(),
})
export type OpenField = z.output<typeof openField>

/** The host as the visitor knows them: a name, and a phone or work number to tell them from others of that name. */
const typedHost = z.object({
  name: masked('name', z.string().trim().min(1).max(PERSON_NAME_MAX)),
  number: masked('phone', z.string().trim().max(Math.max(PHONE_MAX, PERSON_NUMBER_MAX))).nullish(),
})

/** A visit as the page of its visitor sends it. A reservation waits for the desk or the host. */
export const visitReservation = consistent(
  z.object({
    /** Chosen by the page for this visit: the same again makes no second one. */
    key: z.uuid(),
    /** Needed unless the visit has them already. */
    name: personName.nullish(),
    phone: phone.nullish().transform((value) => value ?? undefined),
    email: email.nullish(),
    host: typedHost.nullish(),
    reason: visitReason.schema.nullish(),
    visitTime: visitMoment.nullish().transform((value) => value ?? undefined),
    visitEndTime: visitMoment.nullish(),
    visitorNumber: z.number().int().min(1).max(VISITOR_NUMBER_MAX).nullish(),
    peers: z
      .array(z.object({ name: personName, phone, facePhoto: picture.nullish() }))
      .max(PEERS_MAX)
      .default([]),
    facePhoto: picture.nullish(),
    faceConsent: z.boolean().default(false),
    /** The text of the consent that was shown; absent: the current one in the language of the request. */
    consentShown: z.object({ language: z.enum(LANGUAGES), textVersion: z.number().int().min(0) }).nullish(),
    /** Each document that `open` names, accepted. */
    documents: z.array(acceptedDocument).max(DOCUMENTS_MAX).default([]),
    customFields: z.array(visitorValue).max(100).nullish(),
    remark: z.string().trim().max(TEXT_MAX).nullish(),
  }),
)
export type VisitReservation = z.output<typeof visitReservation>

/** What a visitor is told of a visit: why it waits, and why it was refused, is not among it. */
export const APPOINTMENT_STATES = ['waiting', 'accepted', 'arrived', 'over', 'refused', 'cancelled', 'expired'] as const
export type AppointmentState = (typeof APPOINTMENT_STATES)[number]

const times = z.object({ visitTime: instant, visitEndTime: instant })

const appointment = place.extend({
  state: z.enum(APPOINTMENT_STATES),
  name: masked('name', z.string()),
  hostName: masked('name', z.string()),
  visitorNumber: z.number().int(),
  ...times.shape,
  canCancel: z.boolean(),
  /** What a door reads; null where there is none. */
  pass: z.object({ text: z.string(), qr: z.string() }).nullable(),
})
export type Appointment = z.output<typeof appointment>

const hostVisit = place.extend({
  state: z.enum(APPOINTMENT_STATES),
  status: visitorStatus.schema,
  visitorName: masked('name', z.string()),
  hostName: masked('name', z.string()),
  reason: visitReason.schema,
  visitorNumber: z.number().int(),
  ...times.shape,
  /** False: it is decided already, or by the desk. */
  canDecide: z.boolean(),
})
export type HostVisit = z.output<typeof hostVisit>

/** Of a call of a page that a link opened. */
const ofLink = { service: 'visitor', method: 'POST', permission: 'public', linkToken: true, origin: 'own' } as const
const nothing = z.object({})
const readVisit = z.object({ status: visitorStatus.schema })

export const appointmentCalls = {
  open: call({
    ...ofLink,
    path: '/visitor/appointment/open',
    effect: 'read',
    perAddress: { requests: 300, minutes: 15 },
    summary: 'What a link of the gate or an invitation asks for; one that has ended says so.',
    body: nothing,
    data: place.extend({
      /** What an invitation says already; null: the visitor says all. */
      invitation: z.object({ name: masked('name', z.string()), hostName: masked('name', z.string()), ...times.shape }).nullable(),
      visitReasons: z.array(visitReason.schema),
      fields: z.array(openField),
      hostRequired: z.boolean(),
      /** The visitor has to bring a certificate. */
      certificateRequired: z.boolean(),
      consentText: z.string(),
      /** The language of that text, which is another one where the park has none in the language of the request, and its version. */
      consentLanguage: z.enum(LANGUAGES),
      consentVersion: z.number().int(),
      /** What the visitor agrees to or signs before the form is sent. */
      documents: z.array(openDocument),
      consentRequired: z.boolean(),
      expiresAt: instant,
    }),
  }),
  photo: call({
    ...ofLink,
    path: '/visitor/appointment/photo',
    perAddress: { requests: 200, minutes: 15 },
    summary: 'Checks the photo of a visitor or a companion, or takes the picture of an own field; wrong photos are refused with why.',
    consumes: 'multipart',
    bodyLimit: FACE_FILE_MAX + 64 * 1024,
    body: z.object({ of: z.enum(['face', 'field']).default('face'), faceIndex: z.coerce.number().int().min(0).max(99).optional() }),
    data: z.object({ url: z.string(), thumbnail: z.string() }),
    errors: [...FACE_REFUSALS],
  }),
  submit: call({
    ...ofLink,
    path: '/visitor/appointment/submit',
    perAddress: { requests: 100, minutes: 15 },
    summary: 'Reserves a visit, or completes that of an invitation; the answer is the same whoever the visitor and the host are.',
    body: visitReservation,
    /** Token of the visit: its page shows the state. */
    data: z.object({ token: z.string(), state: z.enum(APPOINTMENT_STATES) }),
    errors: [200225, 900007, 900114],
  }),
  status: call({
    ...ofLink,
    path: '/visitor/appointment/status',
    effect: 'read',
    perAddress: { requests: 600, minutes: 15 },
    summary: 'The state of a visit, for its visitor.',
    body: nothing,
    data: appointment,
  }),
  cancel: call({
    ...ofLink,
    path: '/visitor/appointment/cancel',
    perAddress: { requests: 60, minutes: 15 },
    summary: 'Cancels a visit before the visitor has come.',
    body: nothing,
    data: z.object({ state: z.enum(APPOINTMENT_STATES) }),
    errors: [200401, 200420],
  }),
  hostOpen: call({
    ...ofLink,
    path: '/visitor/appointment/host/open',
    effect: 'read',
    perAddress: { requests: 300, minutes: 15 },
    summary: 'A visit, for its host.',
    body: nothing,
    data: hostVisit,
  }),
  hostAccept: call({
    ...ofLink,
    path: '/visitor/appointment/host/accept',
    perAddress: { requests: 60, minutes: 15 },
    summary: 'Accepts a visit as its host.',
    body: readVisit,
    data: z.object({ state: z.enum(APPOINTMENT_STATES) }),
    errors: [200207, 200401, 200420, 900000],
    statuses: [409],
  }),
  hostRefuse: call({
    ...ofLink,
    path: '/visitor/appointment/host/refuse',
    perAddress: { requests: 60, minutes: 15 },
    summary: 'Refuses a visit as its host, with a reason.',
    body: readVisit.extend({ reason: z.string().trim().min(1).max(TEXT_MAX) }),
    data: z.object({ state: z.enum(APPOINTMENT_STATES) }),
    errors: [200401, 200420],
  }),
}
