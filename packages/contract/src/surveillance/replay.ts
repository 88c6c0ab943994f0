/** What a monitoring task would have alarmed about, from stored captures, before it is saved (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatus } from '../enums/alarms.ts'
import { masked } from '../masking.ts'
import { id, instant } from '../schema.ts'
import { period } from '../strategies/calls.ts'
import { COMPARE_RULES } from './tasks.ts'

const call = callsOf('surveillance')

/** Days that are replayed where nobody says from when; and at most. */
export const REPLAY_DAYS = 7
export const REPLAY_DAYS_MAX = 31

/**
 * A capture compared with the persons of the groups. Whether it would have raised an alarm depends on the threshold, which is not part of
 * the question: `replayAlarms` answers for any.
 */
const replayedCapture = z.object({
  id,
  time: instant,
  deviceId: id,
  /** The nearest person who is not excluded by an own threshold; null: there is nobody. */
  personId: id.nullable(),
  /** Raw score of this person; it may exceed 100. */
  score: z.number().nullable(),
  /** How far the alarm is handled that the capture really raised; null: there was none, or the caller may not see alarms. */
  alarmStatus: alarmHandlingStatus.schema.nullable(),
})

export const replayCalls = {
  compare: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/replay',
    effect: 'read',
    permission: 'surveillance.rule',
    // It tells where somebody was captured, as a face search does.
    besides: ['surveillance.data', 'trail.search'],
    summary: 'Compares stored captures with the persons that a task would look out for, in parts: each `next` asks for the part behind it.',
    body: z.object({
      deviceIds: z.array(id).max(1000),
      personGroupIds: z.array(id).max(1000),
      periods: z.array(period).max(200),
      compareRule: z.enum(COMPARE_RULES).default('person'),
      /** Default: the last 7 days; at most 31. */
      startTime: instant.optional(),
      endTime: instant.optional(),
      /** `next` of the last answer. */
      after: z.string().max(200).optional(),
    }),
    data: z.object({
      startTime: instant,
      endTime: instant,
      /** Of the whole window: stored captures, and those that can be compared. */
      total: z.number().int(),
      comparable: z.number().int(),
      /** Devices of which nothing is stored. */
      emptyDeviceIds: z.array(id),
      /** Comparable captures that this part looked at; those outside the periods are not answered. */
      looked: z.number().int(),
      captures: z.array(replayedCapture),
      /** The persons of these captures. */
      persons: z.array(z.object({ id, name: masked('name', z.string()) })),
      /** Raw score that keeps the park's promise of its watch list (`scoreOfTask`); null for callers who may not see it. */
      promised: z.number().nullable(),
      next: z.string().optional(),
    }),
    errors: [300203, 500006, 500007, 500008, 500011, 900000, 900007],
    origin: 'own',
  }),
}
