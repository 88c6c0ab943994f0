/** What a park promises about its faces, shown with what it costs with the model that runs. */
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
  /** Of a thousand strangers who try a door, at most so many get in. */
  strangersPerThousand: promise,
  /** False alarms of the watch list a day. */
  falseAlarmsPerDay: promise,
  /** Faces of somebody else that a search shows, on the average. */
  wrongPerSearch: promise,
  /** Points of score by which the best person must lead the second best; 0: no lead is asked for. */
  margin: z.number().min(0).max(30),
  /** The same between persons known to be taken for each other. */
  lookAlikeMargin: z.number().min(0).max(40),
  /** Photographs each person is asked for; fewer are accepted, and said to be too few. */
  photosWanted: z.number().int().min(1).max(FACES_PER_PERSON),
  liveness: z.object({
    /** `trial`: scores are recorded, nobody is refused. */
    mode: z.enum(LIVENESS_MODES),
    /** Lowest score, 0 to 1, of a living face; needed for `on`. */
    threshold: z.number().min(0).max(1).nullish(),
  }),
})

/** What a promise takes with the model that runs and the faces there are. */
const promiseMeaning = z.object({
  promise: z.number(),
  /** Raw score that is asked for; it may pass 100. */
  score: z.number(),
  /** Of pairs of different people, how many reach it. */
  falseMatchRate: z.number(),
  /**
   * Of the park's own people, with one photograph each, the share that is not recognised at once; null where the
   * model's curve does not say.
   */
  falseNonMatchRate: z.number().nullable(),
  /** The same with two photographs each; null where the model does not make one template of them, too. */
  falseNonMatchRateOfTwo: z.number().nullable(),
  /** False: nothing so rare was ever measured with this model, and the score is reckoned on the safe side. */
  supported: z.boolean(),
})

export const purposeMeaning = promiseMeaning.extend({
  purpose: z.enum(FACE_PURPOSES),
  /** Compared with: those of the park, for a watch list those on it. */
  templates: z.number().int(),
  /** Faces a day that are looked for on the watch list; null for the other purposes. */
  facesPerDay: z.number().nullable(),
  /** The rate of a single comparison that is never passed, however few are compared. */
  loosest: z.number(),
  /** The same of what is offered, in its order. */
  offers: z.array(promiseMeaning),
  /** What held before there were promises, until one is set: a score for a single comparison, whatever the number of people. */
  former: z
    .object({
      score: z.number(),
      /** In the unit of the promise, with the faces there are now. */
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
  /** False: the model's rates were not measured, only guessed from its publisher's word. */
  measured: z.boolean(),
  /** What the curve was measured on, in the words of the model's manifest. */
  source: z.string(),
  /** Doors that open for a face alone: no strategy there asks for anything beside it. */
  doorsByFaceAlone: z.number().int(),
  /** Every photograph there is shows a drawn person of the demo: nobody real could be let in. */
  drawnOnly: z.boolean(),
  /** Persons, and those with fewer photographs than are wanted. */
  persons: z.number().int(),
  personsWithFew: z.number().int(),
  /** How alike the people of the park are, where its doors ask for more because of it; it is nothing to watch list and searches. */
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
