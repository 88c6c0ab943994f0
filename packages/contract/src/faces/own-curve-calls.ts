/** Similarity of the people of a park by their own photos, and the thresholds that its doors need because of it. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id, instant, pageData, pageQuery } from '../schema.ts'
import { workState } from '../work.ts'
import { closePair } from './report.ts'

const call = callsOf('faces')

/** Smallest number of people with photos whose pairs give a usable measurement. */
export const OWN_CURVE_LEAST_PERSONS = 33

/** Measurement of the pairs of different people of a park, or of those who may come to certain doors. */
const measuredPeople = z.object({
  persons: z.number().int(),
  /** Number of compared pairs of different people. */
  pairs: z.number().int(),
  /**
   * Factor between the rate at which they are mistaken for one another and that of the model's own curve, where the curve's rate is one in
   * 10,000 pairs.
   */
  timesAsOften: z.number(),
  /** 95 % confidence interval of the factor. */
  timesAsOftenLow: z.number(),
  timesAsOftenHigh: z.number(),
})

export const ownCurveState = z.object({
  /** Time of the measurement; null: not measured yet with the current model. */
  measuredAt: instant.nullable(),
  modelId: z.string(),
  /** Number of people with photos that count; drawn people of the demo do not. */
  persons: z.number().int(),
  /** Null until it was measured, and if there are too few people. */
  people: measuredPeople.nullable(),
  /**
   * Check by the half of the people that was left out of the measurement: number of its pairs, mistakes expected among them (one in 1,000),
   * and mistakes counted; null if that half is too small.
   */
  heldOut: z.object({ pairs: z.number().int(), expected: z.number(), counted: z.number().int() }).nullable(),
  /** Raw threshold of a door that stores all people: by the model's curve alone, and the current one. */
  shippedScore: z.number(),
  score: z.number(),
  /**
   * Doors with a higher threshold than the others, because their people are more alike than those of the whole park; only doors that the
   * caller may see.
   */
  doors: z.array(measuredPeople.extend({ devices: z.array(z.string()) })),
  /** Number of pairs of photos of one person, and the share of them below the threshold; null without such pairs. */
  missed: z.object({ pairs: z.number().int(), share: z.number() }).nullable(),
  /**
   * Access events by the person's own face in the 30 days before the measurement, and how often the person had been refused there just
   * before; null until it was measured.
   */
  passed: z.object({ passages: z.number().int(), again: z.number().int() }).nullable(),
  /** Some doors would get a lower threshold by the latest measurement: it takes effect after a user has confirmed it. */
  looser: z.boolean(),
  /** Number of pairs so alike that they may be one person registered twice: left out until a user decides. */
  doubtful: z.number().int(),
  /** The measurement that is waiting, running or ran last. */
  work: workState.nullable(),
})
export type OwnCurveState = z.output<typeof ownCurveState>

export const ownCurveCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/face/curve',
    permission: 'device.setting',
    summary: 'How alike the people of this park are by their own photographs, and what doors ask for because of it.',
    data: ownCurveState,
    origin: 'own',
  }),
  measure: call({
    method: 'POST',
    service: 'biz',
    path: '/face/curve/measure',
    permission: 'device.setting',
    summary: 'Measures now; without being asked it is done once photographs have changed, and every week.',
    body: z.object({}),
    data: ownCurveState,
    origin: 'own',
  }),
  confirm: call({
    method: 'POST',
    service: 'biz',
    path: '/face/curve/confirm',
    permission: 'device.setting',
    summary: 'Lets doors ask for less, as it was measured at that moment; 409 where it was measured anew meanwhile.',
    body: z.object({ measuredAt: instant }),
    data: ownCurveState,
    statuses: [409],
    origin: 'own',
  }),
  pairs: call({
    method: 'GET',
    service: 'biz',
    path: '/face/curve/pairs',
    permission: 'device.setting',
    summary: 'Pairs of people so alike that they may be one person twice, most alike first, until somebody has said.',
    query: pageQuery,
    data: pageData(closePair),
    origin: 'own',
  }),
  answer: call({
    method: 'PUT',
    service: 'biz',
    path: '/face/curve/pairs',
    permission: 'device.setting',
    summary:
      'Says of two people whether they are one person twice; those who are not count from now on. Said again it is changed. 404 ' +
      'for a pair nobody asked about.',
    body: z.object({ personId: id, otherId: id, samePerson: z.boolean() }),
    data: z.object({ doubtful: z.number().int() }),
    origin: 'own',
  }),
}
