/** The wrong-match clinic: from a record to the photo that caused the match, and what to do about it. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { PERSON_THRESHOLD_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('clinic')

const photoMatch = z.object({
  faceId: id,
  url: z.string(),
  thumbnail: z.string(),
  /** Similarity of this photo to the face at the door; null if the current model has no template of it. */
  score: z.number().nullable(),
  setAsideAt: instant.nullable(),
  /** The most similar of the compared photos: it caused the match. */
  carried: z.boolean(),
})

const candidate = z.object({
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  score: z.number(),
  faceId: id,
  thumbnail: z.string(),
  /** Whether the two persons are registered as look-alikes. */
  lookAlike: z.boolean(),
})

/** Correction of a record by a user. */
export const correction = z.object({
  id,
  recordId: id,
  recordTime: instant,
  deviceName: z.string(),
  /** The picture taken at the door; empty after it was deleted. */
  captureThumbnail: z.string(),
  /** Person whom the terminal recognised. */
  personId: id,
  personName: masked('name', z.string()),
  /** Actual person; null: not registered, or unknown. */
  actualPersonId: id.nullable(),
  actualPersonName: masked('name', z.string()),
  score: z.number().nullable(),
  /** Photos that the correction set aside. */
  setAside: z.array(id),
  /** Threshold that the correction set for the person; null: unchanged. */
  threshold: z.number().nullable(),
  note: z.string(),
  createdAt: instant,
  createdBy: z.string(),
})
export type Correction = z.output<typeof correction>

/** Computed again by the current model from the picture of the record; the record's own score is never changed. */
export const matchAnalysis = z.object({
  recordId: id,
  personId: id.nullable(),
  personName: masked('name', z.string()),
  /** Contact who came in the person's place, with the similarity of the face at the door to the contact's photo; null: the person came. */
  contact: z
    .object({ id, name: masked('name', z.string()), url: z.string(), thumbnail: z.string(), score: z.number().nullable() })
    .nullable(),
  recordScore: z.number().nullable(),
  modelId: z.string(),
  /**
   * Why nothing can be compared: the record has no picture or no person, or the engine refuses the picture (its business code in `code`).
   */
  unavailable: z.object({ reason: z.enum(['noPicture', 'noPerson', 'refused']), code: z.number().int().nullable() }).nullable(),
  /** Threshold of the person, else of the door. */
  threshold: z.number(),
  /** Current score of the most similar photo; null when unavailable. */
  score: z.number().nullable(),
  photos: z.array(photoMatch),
  /** Score without the most similar photo; null if there is no other. */
  scoreWithout: z.number().nullable(),
  /**
   * The next most similar people, at most five, the most similar first; null for callers who may neither search people
   * (`basic.person.search`) nor register them (`person.list` with `own:person.edit`).
   */
  next: z.array(candidate).nullable(),
  correction: correction.nullable(),
})
export type MatchAnalysis = z.output<typeof matchAnalysis>

export const clinicCalls = {
  analyse: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/{id}/match',
    permission: 'access.record',
    summary: 'Which photograph carried the match of a record, what the score would be without it, and who comes next.',
    params: idParams,
    data: matchAnalysis,
    errors: [900000],
    origin: 'own',
  }),
  correct: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/{id}/correction',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Says that it was not this person: remembers the pair, sets photographs aside, asks more of the person. Repeated, it ' +
      'changes what was said.',
    params: idParams,
    body: z.object({
      /** Actual person; null: not registered, or unknown. */
      actualPersonId: id.nullable().default(null),
      setAside: z.array(id).max(20).default([]),
      /** New raw threshold of the person; absent: unchanged. */
      threshold: z.number().min(1).max(PERSON_THRESHOLD_MAX).nullish(),
      note: z.string().trim().max(200).default(''),
    }),
    data: created,
    errors: [200201],
    origin: 'own',
  }),
  undo: call({
    method: 'DELETE',
    service: 'biz',
    path: '/access/record/{id}/correction',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Takes back what was said: the pair is forgotten, photographs and threshold are as before.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/access/correction/list',
    permission: 'access.record',
    summary: 'Wrong matches that were reported, newest first.',
    query: pageQuery.extend({ personId: id.optional(), deviceId: id.optional() }),
    data: pageData(correction),
    origin: 'own',
  }),
  livenessTrial: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/liveness/list',
    permission: 'access.record',
    summary: 'Passages whose liveness score was recorded, newest first, at most 30 days old.',
    query: pageQuery.extend({ label: z.enum(['none', 'genuine', 'spoof']).optional(), below: z.coerce.number().min(0).max(1).optional() }),
    data: pageData(
      z.object({
        recordId: id,
        time: instant,
        deviceName: z.string(),
        personName: masked('name', z.string()),
        result: z.number().int(),
        score: z.number(),
        captureThumbnail: z.string(),
        label: z.enum(['genuine', 'spoof']).nullable(),
      }),
    ),
    origin: 'own',
  }),
}
