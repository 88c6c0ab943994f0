/** Photos: checked, cached, converted to templates. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { PERSON_THRESHOLD_MAX, THRESHOLD_MIN } from '../limits.ts'
import { masked } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { workState } from '../work.ts'
import { FACE_REFUSALS } from './refusals.ts'

const call = callsOf('faces')

export const faceBox = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
/** Measured qualities, each 0..1 or degrees as named. */
export const faceQuality = z.object({
  sharpness: z.number(),
  brightness: z.number(),
  yaw: z.number(),
  pitch: z.number(),
  roll: z.number(),
  score: z.number(),
})

/** Another person who looks like the person of a photo: the same one registered twice, a twin, or chance. */
export const similarPerson = z.object({
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  score: z.number(),
  /** The most similar photo. */
  thumbnail: z.string(),
})
export type SimilarPerson = z.output<typeof similarPerson>

export const cachedFace = z.object({
  faceId: id,
  faces: z.array(z.object({ box: faceBox, quality: faceQuality })),
  /** Addresses of the stored picture, valid for minutes. */
  url: z.string(),
  thumbnail: z.string(),
  /**
   * Other persons at or above the park's threshold of search, the most similar first, at most three. Reported, but never a reason for
   * refusal; absent for callers who may neither search people (`basic.person.search`) nor register them (`person.list` with
   * `own:person.edit`).
   */
  similar: z.array(similarPerson).optional(),
  /** Number of photos that the park requests of each person. */
  wanted: z.number().int(),
})
export type CachedFace = z.output<typeof cachedFace>

/** The current face engine, and how many photos have templates of its model. */
export const faceEngine = z.object({
  modelId: z.string(),
  /** Name for display. */
  name: z.string(),
  kind: z.enum(['builtin', 'onnx']),
  dimensions: z.number().int(),
  /** Whether it can distinguish a living face from a picture. */
  liveness: z.boolean(),
  /** False: its error rates were not measured, only estimated from the publisher's statements. */
  measured: z.boolean(),
  source: z.string(),
  licences: z.array(z.object({ part: z.string(), licence: z.string() })),
  curve: z.array(z.object({ score: z.number(), falseMatchRate: z.number(), falseNonMatchRate: z.number().nullable() })),
  /** Number of photos of this park's people and their contacts, of those with a template of the model, and of those it refused. */
  photos: z.number().int(),
  current: z.number().int(),
  refused: z.number().int(),
  /**
   * Number of photos with a template by model, including the current one: devices with another engine still use their model's templates.
   */
  models: z.array(z.object({ modelId: z.string(), photos: z.number().int() })),
  /** Work that creates templates of all photos again; null if it never ran. */
  work: workState.nullable(),
})
export type FaceEngineState = z.output<typeof faceEngine>

/** A photo that the new model refused. */
export const refusedPhoto = z.object({
  faceId: id,
  personId: id,
  personName: masked('name', z.string()),
  /** Contact of the person whom the photo shows; absent if it shows the person. */
  contactName: masked('name', z.string()).optional(),
  code: z.number().int(),
  thumbnail: z.string(),
})

/** How one person's face is compared. */
export const personMatching = z.object({
  personId: id,
  /** The person's own raw threshold at doors, if higher than theirs; null: the doors' threshold. */
  threshold: z.number().nullable(),
  /** The threshold also applies if it is lower than the doors': the user who set it was warned. */
  loosens: z.boolean(),
  /** Threshold of a door that stores all people of the park. */
  parkThreshold: z.number(),
  photos: z.array(z.object({ faceId: id, url: z.string(), thumbnail: z.string(), setAsideAt: instant.nullable(), current: z.boolean() })),
  lookAlikes: z.array(
    z.object({
      pairId: id,
      personId: id,
      personName: masked('name', z.string()),
      thumbnail: z.string(),
      origin: z.enum(['clinic', 'hand']),
      createdAt: instant,
    }),
  ),
})
export type PersonMatching = z.output<typeof personMatching>

/** A person's photo as calls return it. */
export const facePhoto = z.object({ faceId: id, url: z.string(), thumbnail: z.string() })
export type FacePhoto = z.output<typeof facePhoto>

export const faceCalls = {
  cache: call({
    method: 'POST',
    service: 'biz',
    path: '/face/cache',
    permission: 'self',
    summary: 'Checks a photograph and keeps it for a person; several faces: 200218 with data.faces, resend with faceIndex.',
    consumes: 'multipart',
    body: z.object({
      faceIndex: z.coerce.number().int().min(0).max(99).optional(),
      url: z.string().max(2000).optional(),
      /** Person for whom the photo is: left out of `similar`. */
      personId: id.optional(),
    }),
    data: cachedFace,
    errors: [...FACE_REFUSALS],
    bodyLimit: 11 * 1024 * 1024,
  }),
  engine: call({
    method: 'GET',
    service: 'biz',
    path: '/face/engine',
    permission: 'device.setting',
    summary: 'Which face engine runs, how good it is, and how far the photographs are with its model.',
    data: faceEngine,
    origin: 'own',
  }),
  embedAgain: call({
    method: 'POST',
    service: 'biz',
    path: '/face/engine/embed',
    permission: 'device.setting',
    summary:
      'Makes the missing templates of this park, those refused before included; answers the work, the one under way if there is one.',
    body: z.object({}),
    data: created,
    origin: 'own',
  }),
  cancelEmbedding: call({
    method: 'POST',
    service: 'biz',
    path: '/face/engine/embed/cancel',
    permission: 'device.setting',
    summary: 'Ends making templates; those made stay.',
    body: z.object({}),
    data: created,
    origin: 'own',
  }),
  refusedPhotos: call({
    method: 'GET',
    service: 'biz',
    path: '/face/engine/refused/list',
    permission: 'device.setting',
    summary: 'Photographs the model that runs could not take.',
    query: pageQuery,
    data: pageData(refusedPhoto),
    origin: 'own',
  }),
  matching: call({
    method: 'GET',
    service: 'biz',
    path: '/face/person/{id}',
    permission: 'person.list',
    summary: 'How one person is compared: threshold, photographs set aside, look-alikes.',
    params: idParams,
    data: personMatching,
    origin: 'own',
  }),
  setThreshold: call({
    method: 'PUT',
    service: 'biz',
    path: '/face/person/{id}/threshold',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Sets what score doors ask of this person; null for what they ask of everybody. Less than that opens the door to more ' +
      'strangers, and is taken with `loosens` alone.',
    params: idParams,
    body: z.object({
      threshold: z.number().min(THRESHOLD_MIN).max(PERSON_THRESHOLD_MAX).nullable(),
      /** The caller accepts that more strangers may pass as this person. */
      loosens: z.boolean().default(false),
    }),
    data: created,
    origin: 'own',
  }),
  setAside: call({
    method: 'PUT',
    service: 'biz',
    path: '/face/photo/{id}/setAside',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Takes a photograph out of comparison, or back in. The last one of a person cannot be set aside: 200201.',
    params: idParams,
    body: z.object({ setAside: z.boolean() }),
    data: created,
    errors: [200201],
    origin: 'own',
  }),
  addPair: call({
    method: 'POST',
    service: 'biz',
    path: '/face/pair',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Remembers that two persons look alike: doors ask for a wider lead between them.',
    body: z.object({ personId: id, otherId: id }),
    data: created,
    origin: 'own',
  }),
  removePair: call({
    method: 'DELETE',
    service: 'biz',
    path: '/face/pair/{id}',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Forgets that two persons look alike.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
}
