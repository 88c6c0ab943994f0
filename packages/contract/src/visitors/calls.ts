/** Visits: made, decided, signed in and signed off (module M08). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { cardNumberFormat } from '../enums/people.ts'
import { visitorSource, visitorStatus } from '../enums/visitors.ts'
import { FACE_REFUSALS } from '../faces/refusals.ts'
import { PERSON_NUMBER_MAX, TEXT_MAX } from '../limits.ts'
import { masked, searches } from '../masking.ts'
import { created, id, ids, instant, pageData, pageQuery, queryList, queryNumber } from '../schema.ts'
import { certificate, VISITS_PER_CALL, visitChange, visitCreate } from './fields.ts'
import { visit, visitPass, visitRow } from './visit.ts'

const call = callsOf('visitors')
const base = { service: 'visitor', permission: 'visitor.report', origin: 'own' } as const
/** Of a call that changes visits. */
const deciding = { ...base, besides: ['visitor.temporary.edit'] } as const

/** A visit, with the status that the caller read: another one is refused with 200420 (VAL-097). */
const readVisit = z.object({ id, status: visitorStatus.schema })
const visits = z.object({
  visits: z.array(readVisit).min(1).max(VISITS_PER_CALL),
})
/** What became of several visits: one that is refused stays as it was. A single one is refused like any other call. */
const decided = z.object({
  changed: z.number().int(),
  refused: z.array(z.object({ id, code: z.number().int(), reason: z.string() })),
})
const ofStatus = [200401, 200420] as const

const filter = z.object({
  /** Part of the name of the visitor or the host, or the phone: whole, or its last four characters. */
  keyword: searches('name', z.string().trim().max(64)).optional(),
  status: queryList(queryNumber.pipe(visitorStatus.schema)),
  source: queryNumber.pipe(visitorSource.schema).optional(),
  intervieweeId: id.optional(),
  visitorGroupId: id.optional(),
  /** By `visitTime`. Absent: from seven days ago; at most 366 days. */
  startTime: queryNumber.pipe(instant).optional(),
  endTime: queryNumber.pipe(instant).optional(),
})

const readOne = call({
  ...base,
  method: 'GET',
  path: '/visitor',
  summary: 'One visit.',
  query: z.object({ id }),
  data: visit,
  errors: [200401],
})

export const visitorCalls = {
  list: call({
    ...base,
    method: 'GET',
    path: '/visitor/list',
    summary: 'Visits of the current park within a time window, the latest first.',
    query: pageQuery.extend({ ...filter.shape, after: z.string().max(200).optional() }),
    data: pageData(visitRow),
  }),
  valid: call({
    ...base,
    method: 'GET',
    path: '/visitor/visitRecord/valid',
    summary: 'Visits whose authorisation is in force: accepted or signed in, and not over.',
    query: pageQuery.extend({ keyword: filter.shape.keyword }),
    data: pageData(visitRow),
    origin: 'specification',
  }),
  summary: call({
    ...base,
    method: 'GET',
    path: '/visitor/summary',
    summary: 'Counts of today for the desk.',
    data: z.object({
      /** Waiting for a review or for the host, of any day. */
      pending: z.number().int(),
      /** Accepted for today and not there yet. */
      expected: z.number().int(),
      present: z.number().int(),
      /** Of those present: the agreed end is over. */
      overdue: z.number().int(),
      gone: z.number().int(),
    }),
  }),
  read: readOne,
  create: call({
    ...base,
    method: 'POST',
    path: '/visitor',
    permission: 'visitor.temporary.edit',
    summary: 'Makes a visit: a reservation, an invitation, or the registration of a visitor who stands at the desk.',
    body: visitCreate,
    data: created.extend({ status: visitorStatus.schema }),
    errors: [200207, 200225, 200445, 200446, 900000, 900007, 900114],
    statuses: [409],
  }),
  change: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor',
    summary: 'Changes a visit that is not over; what is left out stays as it was.',
    record: readOne,
    body: visitChange,
    data: created,
    errors: [...ofStatus, 200207, 200224, 200225, 200445, 200446, 900000, 900007, 900114],
  }),
  delete: call({
    ...deciding,
    method: 'DELETE',
    path: '/visitor',
    summary: 'Deletes visits that are over, with their pictures; their access records stay under a pseudonym.',
    query: z.object({ ids: queryList(id) }),
    body: ids.partial().optional(),
    data: z.object({ deleted: z.number().int() }),
    errors: [...ofStatus, 200224],
  }),
  block: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor/status',
    summary: 'Blocks (0) or unblocks (1) visits: a blocked visitor passes no door, and the visit can be neither changed nor deleted.',
    body: ids.extend({ status: z.union([z.literal(0), z.literal(1)]) }),
    data: z.object({ changed: z.number().int() }),
    errors: [...ofStatus, 200207, 900000],
    statuses: [409],
  }),
  accept: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor/accept',
    summary: 'Accepts reservations: within seconds the visitors are known at the doors of their access rules.',
    body: visits,
    data: decided,
    errors: [...ofStatus, 200207, 900000],
    statuses: [409],
  }),
  refuse: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor/refuse',
    summary: 'Refuses reservations, with a reason.',
    body: visits.extend({ rejectReason: z.string().trim().min(1).max(TEXT_MAX) }),
    data: decided,
    errors: [...ofStatus],
  }),
  revoke: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor/revoke',
    summary: 'Cancels visits before the visitors have come.',
    body: visits,
    data: decided,
    errors: [...ofStatus],
  }),
  signIn: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor/signIn',
    summary: 'Signs a visitor in at the desk; where certificates are checked, the number of the certificate completes it.',
    body: z.object({
      visit: readVisit,
      cardNumber: masked('cardNumber', z.string().trim().min(1).max(PERSON_NUMBER_MAX)).nullish(),
      cardNumberFormat: cardNumberFormat.schema.nullish(),
      certificateInfo: certificate.nullish(),
    }),
    data: created.extend({ status: visitorStatus.schema }),
    errors: [...ofStatus, 200207, 200445, 900000],
    statuses: [409],
  }),
  signOff: call({
    ...deciding,
    method: 'PUT',
    path: '/visitor/signOff',
    summary: 'Signs visitors off: their rights end at once. `forced`: also without the card that was issued, or where nobody signs off.',
    body: visits.extend({ cardReturned: z.boolean().nullish(), forced: z.boolean().nullish() }),
    data: decided,
    errors: [...ofStatus, 200424],
  }),
  photo: call({
    ...base,
    method: 'POST',
    path: '/visitor/photo',
    permission: 'visitor.temporary.edit',
    summary: 'Checks the photo of a visitor and keeps the part around the face for a form; several faces: 200218 with data.faces.',
    consumes: 'multipart',
    body: z.object({ faceIndex: z.coerce.number().int().min(0).max(99).optional() }),
    data: z.object({ url: z.string(), thumbnail: z.string() }),
    errors: [...FACE_REFUSALS],
    bodyLimit: 11 * 1024 * 1024,
  }),
  pass: call({
    ...base,
    method: 'GET',
    path: '/visitor/pass',
    summary: 'The QR pass of a visit; null where the visitor may not pass by one now, or has used the one there was.',
    query: z.object({ id }),
    data: z.object({ pass: visitPass.nullable() }),
    readsPersonal: true,
    errors: [200401],
  }),
  renewPass: call({
    ...deciding,
    method: 'POST',
    path: '/visitor/pass/renew',
    summary:
      'Makes the QR pass of a visit void and issues another one, for a phone that was lost. Null where the visitor may pass by none.',
    body: z.object({ id }),
    data: z.object({ pass: visitPass.nullable() }),
    errors: [200401],
  }),
  hosts: call({
    ...base,
    method: 'GET',
    path: '/visitor/host/list',
    permission: 'visitor.temporary.edit',
    summary: 'Staff who can be visited, by name.',
    query: z.object({ keyword: searches('name', z.string().trim().min(1).max(64)) }),
    data: z.array(z.object({ id, name: masked('name', z.string()), workNumber: z.string(), groupName: z.string() })),
  }),
}
