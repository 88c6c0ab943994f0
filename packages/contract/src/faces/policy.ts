/** How strictly a park compares faces, shown as rates of error of the model that runs. */
import { z } from 'zod'
import { call } from '../call.ts'
import { monitorPrecision } from '../enums/alarms.ts'
import { FACES_PER_PERSON, THRESHOLD_MAX, THRESHOLD_MIN } from '../limits.ts'
import { FACE_PURPOSES } from './precision.ts'

const score = z.number().min(THRESHOLD_MIN).max(THRESHOLD_MAX)

const precisionField = z.object({
  precision: monitorPrecision.schema,
  /** The score of preset 6; otherwise left as it is. */
  custom: score.nullish(),
})

export const LIVENESS_MODES = ['off', 'trial', 'on'] as const
export type LivenessMode = (typeof LIVENESS_MODES)[number]

export const facePolicyFields = z.object({
  door: precisionField,
  watchList: precisionField,
  search: precisionField,
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

/** What a purpose's setting means with the model that runs. */
export const purposeMeaning = z.object({
  purpose: z.enum(FACE_PURPOSES),
  precision: z.number().int(),
  custom: z.number().nullable(),
  /** Raw score that is asked for. */
  score: z.number(),
  /** Of pairs of different people, how many reach it. */
  falseMatchRate: z.number(),
  /** Of photographs of one person, how many miss it; null where the model's curve does not say. */
  falseNonMatchRate: z.number().nullable(),
  /** Chance that a stranger is taken for one of this park's photographs. */
  chanceOfStranger: z.number(),
  /** The same of the five presets, in their order. */
  presets: z.array(
    z.object({
      precision: z.number().int(),
      score: z.number(),
      falseMatchRate: z.number(),
      falseNonMatchRate: z.number().nullable(),
      chanceOfStranger: z.number(),
    }),
  ),
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
  /** Photographs compared with, and persons with fewer than are wanted. */
  templates: z.number().int(),
  persons: z.number().int(),
  personsWithFew: z.number().int(),
  version: z.number().int(),
})
export type FacePolicy = z.output<typeof facePolicy>

export const facePolicyCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/face/policy',
    permission: 'device.setting',
    summary: 'How strictly faces are compared in this park, with the error rates each setting stands for.',
    data: facePolicy,
    origin: 'own',
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/face/policy',
    permission: 'device.setting',
    summary: 'Sets how strictly faces are compared; terminals follow within seconds. 500009: a threshold is missing or out of range.',
    body: facePolicyFields.extend({ version: z.number().int().optional() }),
    data: facePolicy,
    errors: [500009],
    origin: 'own',
  }),
}
