/** Recognition promises of a park, and their cost with the current model. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { FACES_PER_PERSON } from '../limits.ts'
import { ownCurve } from './own-curve.ts'
import { FACE_PURPOSES } from './precision.ts'
import { PROMISE_BOUNDS } from './promise.ts'

const call = callsOf('faces')

const promise = z.number().min(PROMISE_BOUNDS.min).max(PROMISE_BOUNDS.max)

export const LIVENESS_MODES = ['off', 'trial', 'on'] as const
export type LivenessMode = (typeof LIVENESS_MODES)[number]

export const facePolicyFields = z.object({
  /** Strangers admitted, of 1,000 who try a door, at most. */
  strangersPerThousand: promise,
  /** False alarms of the watch list a day. */
  falseAlarmsPerDay: promise,
  /** Wrong faces among the hits of a search, on average. */
  wrongPerSearch: promise,
  /** Points of score by which the best person must be ahead of the second best; 0: no lead is required. */
  margin: z.number().min(0).max(30),
  /** The same lead between look-alikes. */
  lookAlikeMargin: z.number().min(0).max(40),
  /** Photos requested of each person; fewer are accepted and shown as too few. */
  photosWanted: z.number().int().min(1).max(FACES_PER_PERSON),
  liveness: z.object({
    /** `trial`: scores are recorded, no person is refused. */
    mode: z.enum(LIVENESS_MODES),
    /** Lowest score, 0 to 1, of a living face; needed for `on`. */
    threshold: z.number().min(0).max(1).nullish(),
  }),
})

/** Requirements of a promise with the current model and the registered faces. */
const promiseMeaning = z.object({
  promise: z.number(),
  /** Raw threshold; it can exceed 100. */
  score: z.number(),
  /** Share of pairs of different people that reach it. */
  falseMatchRate: z.number(),
  /** Share of the park's own people, with one photo each, who are not recognised at once; null if the model's curve does not state it. */
  falseNonMatchRate: z.number().nullable(),
  /** The same with two photos each; null unless the model combines them into one template. */
  falseNonMatchRateOfTwo: z.number().nullable(),
  /** False: rates this low were never measured with this model, and the score is estimated on the safe side. */
  supported: z.boolean(),
})

export const purposeMeaning = promiseMeaning.extend({
  purpose: z.enum(FACE_PURPOSES),
  /** Number of templates compared with: those of the park, for a watch list those on it. */
  templates: z.number().int(),
  /** Faces a day that are compared with the watch list; null for the other purposes. */
  facesPerDay: z.number().nullable(),
  /** Highest error rate of a single comparison that is ever allowed, however few are compared. */
  loosest: z.number(),
  /** The same for the promises that forms offer, in their order. */
  offers: z.array(promiseMeaning),
  /**
   * Setting from before promises were introduced, until a promise is set: a score for a single comparison, whatever the number of people.
   */
  former: z
    .object({
      score: z.number(),
      /** Mistakes in the unit of the promise, with the faces registered now. */
      mistakes: z.number(),
      falseNonMatchRate: z.number().nullable(),
    })
    .nullable(),
})

export const facePolicy = z.object({
  purposes: z.array(purposeMeaning),
  margin: z.number(),
  lookAlikeMargin: z.number(),
  photosWanted: z.number().int(),
  liveness: z.object({ mode: z.enum(LIVENESS_MODES), threshold: z.number().nullable(), available: z.boolean() }),
  modelId: z.string(),
  /** False: the model's error rates were not measured, only estimated from its publisher's statements. */
  measured: z.boolean(),
  /** Data on which the curve was measured, as the model's manifest states it. */
  source: z.string(),
  /** Number of doors that open for a face alone: no access rule there requires anything in addition. */
  doorsByFaceAlone: z.number().int(),
  /** All photos show drawn people of the demo: no real person can be admitted. */
  drawnOnly: z.boolean(),
  /** Number of people, and of those with fewer photos than requested. */
  persons: z.number().int(),
  personsWithFew: z.number().int(),
  /** Similarity of the park's people, if its doors have a higher threshold because of it; watch list and searches do not use it. */
  curve: ownCurve.nullable(),
  version: z.number().int(),
})
export type FacePolicy = z.output<typeof facePolicy>

export const facePolicyCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/face/policy',
    permission: 'device.setting',
    summary: 'What this park promises about its faces, and what it takes with the engine and the photographs there are.',
    data: facePolicy,
    origin: 'own',
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/face/policy',
    permission: 'device.setting',
    summary:
      'Sets what is promised about faces; terminals follow within seconds. 500009: a threshold of liveness is missing or out of range.',
    body: facePolicyFields.extend({ version: z.number().int().optional() }),
    data: facePolicy,
    errors: [500009],
    origin: 'own',
  }),
}
