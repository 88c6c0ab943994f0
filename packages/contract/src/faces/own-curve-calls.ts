/** How alike the people of a park are by their own photographs, and what that asks of its doors. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id, instant, pageData, pageQuery } from '../schema.ts'
import { workState } from '../work.ts'
import { closePair } from './report.ts'

const call = callsOf('faces')

/** People with photographs from which on pairs of them say something. */
export const OWN_CURVE_LEAST_PERSONS = 33

/** What the pairs of different people of a park, or of those who may come to some doors, come to. */
const measuredPeople = z.object({
  persons: z.number().int(),
  /** Pairs of different ones that were compared. */
  pairs: z.number().int(),
  /** How many times as often as the model's own curve says they are taken for one another, where one in 10,000 of its pairs is. */
  timesAsOften: z.number(),
  /** Interval of 95 % of it. */
  timesAsOftenLow: z.number(),
  timesAsOftenHigh: z.number(),
})

export const ownCurveState = z.object({
  /** Null: not measured yet, with the model that runs. */
  measuredAt: instant.nullable(),
  modelId: z.string(),
  /** Persons who have photographs that count; drawn ones of the demo do not. */
  persons: z.number().int(),
  /** Null until it was measured, and where they are too few. */
  people: measuredPeople.nullable(),
  /**
   * Of those left out of the measuring, how many mistakes in 1,000 were foretold and how many were counted; null where
   * half of them are too few.
   */
  heldOut: z.object({ pairs: z.number().int(), expected: z.number(), counted: z.number().int() }).nullable(),
  /** Raw score a door asks for that knows everybody: by the model's curve alone, and now. */
  shippedScore: z.number(),
  score: z.number(),
  /** Doors that ask for more than the others do, for their people are more alike than those of the park; those the asker knows. */
  doors: z.array(measuredPeople.extend({ devices: z.array(z.string()) })),
  /** Pairs of photographs of one person, and of these the share that does not reach what is asked; null without any. */
  missed: z.object({ pairs: z.number().int(), share: z.number() }).nullable(),
  /**
   * Passages by the own face in the 30 days before it was measured, and how often whoever came had been refused there
   * just before; null until then.
   */
  passed: z.object({ passages: z.number().int(), again: z.number().int() }).nullable(),
  /** What was measured last asks for less than doors do, somewhere: it comes in force once somebody has confirmed it. */
  looser: z.boolean(),
  /** Pairs so alike that they may be one person twice: left out until somebody has said. */
  doubtful: z.number().int(),
  /** The measuring that waits, runs or ran last. */
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
