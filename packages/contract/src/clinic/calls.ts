/** The wrong-match clinic: from a record, which photograph carried the match, and what to do about it. */
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
  /** Of this photograph against the face at the door; null where the model that runs has no template of it. */
  score: z.number().nullable(),
  setAsideAt: instant.nullable(),
  /** The nearest of those compared: it carried the match. */
  carried: z.boolean(),
})

const candidate = z.object({
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  score: z.number(),
  faceId: id,
  thumbnail: z.string(),
  /** Known to be taken for the person of the record. */
  lookAlike: z.boolean(),
})

/** What somebody said about a record. */
export const correction = z.object({
  id,
  recordId: id,
  recordTime: instant,
  deviceName: z.string(),
  /** The picture taken at the door; empty once it is gone. */
  captureThumbnail: z.string(),
  /** Who the terminal took it for. */
  personId: id,
  personName: masked('name', z.string()),
  /** Who it was; null: nobody registered, or not known. */
  actualPersonId: id.nullable(),
  actualPersonName: masked('name', z.string()),
  score: z.number().nullable(),
  /** Photographs set aside by it. */
  setAside: z.array(id),
  /** Threshold given to the person by it; null: left as it was. */
  threshold: z.number().nullable(),
  note: z.string(),
  createdAt: instant,
  createdBy: z.string(),
})
export type Correction = z.output<typeof correction>

/** Computed anew by the model that runs on the picture of the record; the record's own score is never changed. */
export const matchAnalysis = z.object({
  recordId: id,
  personId: id.nullable(),
  personName: masked('name', z.string()),
  /** Who came in the person's place, and how like the face at the door is to his photograph; null: the person came. */
  contact: z
    .object({ id, name: masked('name', z.string()), url: z.string(), thumbnail: z.string(), score: z.number().nullable() })
    .nullable(),
  recordScore: z.number().nullable(),
  modelId: z.string(),
  /** Why there is nothing to compare: the record has no picture, or the engine finds no face in it (its business code). */
  unavailable: z.object({ reason: z.enum(['noPicture', 'noPerson', 'refused']), code: z.number().int().nullable() }).nullable(),
  /** The person's threshold, else the door's. */
  threshold: z.number(),
  /** The nearest photograph's score now; null when unavailable. */
  score: z.number().nullable(),
  photos: z.array(photoMatch),
  /** What the score would be without the photograph that comes nearest; null where there is no other. */
  scoreWithout: z.number().nullable(),
  /**
   * Who comes next, nearest first, at most five; null for callers who may neither search persons (`basic.person.search`) nor register
   * them (`person.list` with `own:person.edit`).
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
      /** Who it was; null: nobody registered, or not known. */
      actualPersonId: id.nullable().default(null),
      setAside: z.array(id).max(20).default([]),
      /** Raw score doors ask of the person from now on; absent: as before. */
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
