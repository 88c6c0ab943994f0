/** Cases: alarms with pictures and notes, exported as one file (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { EXPORT_FORMATS } from '../exports/calls.ts'
import { masked } from '../masking.ts'
import { created, id, instant } from '../schema.ts'
import { dealingStep } from './face-alarms.ts'

const call = callsOf('alarms')

/** Kinds of alarms that a case may contain. */
export const CASE_ALARM_KINDS = ['face', 'deviceEvent', 'aiBox', 'rule', 'maintenance'] as const
export type CaseAlarmKind = (typeof CASE_ALARM_KINDS)[number]

/** Alarms of one case. */
export const CASE_ALARMS_MAX = 200
const NAME_MAX = 64
const NOTES_MAX = 2_000

/** An alarm as a case contains it. */
export const caseAlarm = z.object({
  id,
  kind: z.enum(CASE_ALARM_KINDS),
  time: instant,
  deviceName: z.string(),
  personId: id.nullable(),
  personName: masked('name', z.string()),
  /** Monitoring task, rule, or kind of event. */
  subject: z.string(),
  level: z.number().int(),
  status: z.number().int(),
  count: z.number().int(),
  steps: z.array(dealingStep),
})
export type CaseAlarm = z.output<typeof caseAlarm>

export const caseCalls = {
  export: call({
    method: 'POST',
    service: 'biz',
    path: '/export/alarmCase',
    permission: 'surveillance.alert',
    besides: ['access.alert'],
    summary: 'Asks for alarms as a case: one file with their pictures, the steps of their handling, and notes. Answers the id of the task.',
    body: z.object({
      name: z.string().trim().min(1).max(NAME_MAX),
      notes: z.string().trim().max(NOTES_MAX).default(''),
      alarms: z
        .array(z.object({ kind: z.enum(CASE_ALARM_KINDS), id }))
        .min(1)
        .max(CASE_ALARMS_MAX),
      format: z.enum(EXPORT_FORMATS).default('zip'),
    }),
    data: created,
    readsPersonal: true,
    origin: 'own',
  }),
}
