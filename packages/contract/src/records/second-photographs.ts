/** People with one photo: how often doors refused them at first, and the access event whose picture could be their second photo. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { facePhoto } from '../faces/calls.ts'
import { FACE_REFUSALS } from '../faces/refusals.ts'
import { masked, searches } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('records')

/** Days that are considered. */
export const SECOND_PHOTOGRAPH_DAYS = 30

/** A person who is compared with a single photo. */
export const onePhotograph = z.object({
  /** Id of the person. */
  id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  groupName: z.string(),
  thumbnail: z.string(),
  /** Number of times a door did not recognise a face and admitted this person by the face within half a minute. */
  refused: z.number().int(),
  /** Number of times doors admitted the person by the face. */
  passages: z.number().int(),
  /** Last time the person was refused first and then admitted; null: never. */
  lastRefusedAt: instant.nullable(),
})
export type OnePhotograph = z.output<typeof onePhotograph>

/** Second photo that is offered for a person. */
export const secondPhotograph = z.object({
  personId: id,
  personName: masked('name', z.string()),
  /** The registered photo; null if there is none, or more than one is compared. */
  registered: facePhoto.nullable(),
  /** Picture of an access event that is good enough; null if no recent one is. */
  offer: z.object({ recordId: id, time: instant, deviceName: z.string(), url: z.string(), thumbnail: z.string() }).nullable(),
})
export type SecondPhotograph = z.output<typeof secondPhotograph>

export const secondPhotographCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/access/secondPhotograph/list',
    permission: 'person.list',
    besides: ['access.record'],
    summary: 'People who are compared by one photograph, those doors asked twice most often first, over the last 30 days.',
    query: pageQuery.extend({ name: searches('name', z.string().max(64)).optional(), groupId: id.optional() }),
    data: pageData(onePhotograph),
    origin: 'own',
  }),
  offer: call({
    method: 'GET',
    service: 'biz',
    path: '/access/secondPhotograph/{id}',
    permission: 'person.list',
    besides: ['access.record'],
    summary:
      'The picture of a passage of the last 30 days that is good enough to be the second photograph of a person with one. ' +
      'Looked at anew each time.',
    params: idParams,
    data: secondPhotograph,
    errors: [900000],
    origin: 'own',
  }),
  answer: call({
    method: 'POST',
    service: 'biz',
    path: '/access/secondPhotograph/{id}',
    permission: 'person.list',
    besides: ['access.record', 'own:person.edit'],
    summary:
      'Takes the picture of a passage as the second photograph of a person, by the rules of a form, or says that it is never to ' +
      'be offered again. May be repeated.',
    params: idParams,
    body: z.object({ recordId: id, take: z.boolean() }),
    data: created,
    errors: [...FACE_REFUSALS, 200202, 200203, 200224, 900000],
    statuses: [409],
    origin: 'own',
  }),
}
