/** People with one photograph: how often doors ask them twice, and the passage that would make their second one. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { FACE_REFUSALS, facePhoto } from '../faces/calls.ts'
import { masked, searches } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('records')

/** Days that are looked back. */
export const SECOND_PHOTOGRAPH_DAYS = 30

/** A person who is compared by a single photograph. */
export const onePhotograph = z.object({
  /** Of the person. */
  id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  groupName: z.string(),
  thumbnail: z.string(),
  /** How often a door knew nobody in a face, and let this person in by the face within half a minute. */
  refused: z.number().int(),
  /** How often doors let the person in by the face. */
  passages: z.number().int(),
  /** The last time the person was asked twice; null where that never happened. */
  lastRefusedAt: instant.nullable(),
})
export type OnePhotograph = z.output<typeof onePhotograph>

/** What a passage offers. */
export const secondPhotograph = z.object({
  personId: id,
  personName: masked('name', z.string()),
  /** The one there is; null where there is none, or more than one is compared. */
  registered: facePhoto.nullable(),
  /** The picture of a passage that is good enough; null where none of late is. */
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
