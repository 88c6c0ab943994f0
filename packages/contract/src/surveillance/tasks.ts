/** Monitoring tasks: whom cameras look out for, where and when (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmSound, monitorPrecision, taskEnabled } from '../enums/alarms.ts'
import { abilities, changeOf, created, findQuery, id, idQuery, instant, pageData } from '../schema.ts'
import { period } from '../strategies/calls.ts'
import { changesByItself } from '../wire-names.ts'
import { TASK_STATES } from './task-rules.ts'

const call = callsOf('surveillance')

/**
 * Whose threshold decides: `task` that of the task for everybody; `person` a person's own threshold, where one is set and it is higher.
 */
export const COMPARE_RULES = ['task', 'person'] as const

/** Limits of numbers are business rules (`task-rules.ts`), so that they are refused by their codes. */
const number = z.number().min(-1_000_000).max(1_000_000)

/** When it looks out. */
export const taskBaseFields = z.object({
  name: z.string().trim().min(1).max(32),
  startTime: instant,
  endTime: instant,
  enabled: taskEnabled.schema.default(taskEnabled.enabled),
})

/** Where, for whom and how strictly. */
export const taskConfigFields = z.object({
  /** Hours of the week in the time zone of the park; a night is two periods. */
  periods: z.array(period).max(200),
  deviceIds: z.array(id).max(1000),
  /** Groups with all groups below them. */
  personGroupIds: z.array(id).max(1000),
  /** Above or below what the park promises of its watch list; 6: `customPrecision`. */
  precision: monitorPrecision.schema.default(monitorPrecision.standard),
  /** Raw score from which a face counts as a person's, for precision 6: a whole number from 0 to 100. */
  customPrecision: number.nullish(),
  /** The same score, from 1 to 100; given, it counts before any precision. */
  similarityThreshold: number.nullish(),
  compareRule: z.enum(COMPARE_RULES).default('person'),
  /** Scores from which an alarm is of medium and of high level. */
  lowThreshold: number.default(60),
  highThreshold: number.default(80),
  /** Faces that belong to nobody of the groups raise an alarm. */
  strangerAlarm: z.boolean().default(false),
  alarmSound: alarmSound.schema.default(alarmSound.first),
  /** Seconds in which a person who comes by the same device again is counted with the alarm before; 0: every time raises one. */
  repeatSeconds: number.int().default(300),
})

export const monitoringTaskFields = taskBaseFields.extend(taskConfigFields.shape)

const named = z.object({ id, name: z.string() })
export const monitoringTask = z.object({
  id,
  name: z.string(),
  startTime: instant,
  endTime: instant,
  enabled: taskEnabled.schema,
  /** Changes by itself with time. */
  status: changesByItself(z.enum(TASK_STATES)),
  periods: z.array(period),
  deviceIds: z.array(id),
  personGroupIds: z.array(id),
  devices: z.array(named),
  personGroups: z.array(named),
  precision: monitorPrecision.schema,
  customPrecision: z.number().nullable(),
  similarityThreshold: z.number().nullable(),
  /**
   * The raw score from which a face counts as a person's, as these three and the promise of the park make it. Null for callers who may not
   * see the watch list: the promise depends on how many are on it.
   */
  score: changesByItself(z.number().nullable()),
  compareRule: z.enum(COMPARE_RULES),
  lowThreshold: z.number(),
  highThreshold: z.number(),
  strangerAlarm: z.boolean(),
  alarmSound: alarmSound.schema,
  repeatSeconds: z.number().int(),
  can: abilities('change', 'enable', 'disable', 'delete'),
  version: z.number().int(),
  updatedAt: instant,
})
export type MonitoringTask = z.output<typeof monitoringTask>

/** Row of the list: counts instead of members. */
export const monitoringTaskRow = monitoringTask
  .omit({ deviceIds: true, personGroupIds: true, devices: true, personGroups: true, periods: true, score: true })
  .extend({ deviceCount: z.number().int(), personGroupCount: z.number().int() })
export type MonitoringTaskRow = z.output<typeof monitoringTaskRow>

const read = call({
  method: 'GET',
  service: 'biz',
  path: '/surveillance/findControlById',
  permission: 'surveillance.rule',
  summary: 'One monitoring task.',
  query: idQuery,
  data: monitoringTask,
  errors: [500001],
})

const ofTask = { id, version: z.number().int().optional() }

export const monitoringTaskCalls = {
  find: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/findControlList',
    effect: 'read',
    permission: 'surveillance.rule',
    summary: 'Monitoring tasks of the current park, newest first.',
    body: findQuery.extend({ name: z.string().max(64).optional(), status: z.enum(TASK_STATES).optional(), deviceId: id.optional() }),
    data: pageData(monitoringTaskRow),
  }),
  read,
  add: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/addControl',
    permission: 'surveillance.rule',
    summary: 'Creates a monitoring task.',
    body: monitoringTaskFields,
    data: created,
    errors: [300203, 500002, 500006, 500007, 500008, 500009, 500010, 500011, 900007],
  }),
  updateBase: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/updateControlBase',
    permission: 'surveillance.rule',
    summary:
      'Changes name and time of a task, or switches it on or off. A disabled task takes nothing but the switch, a finished one nothing.',
    record: read,
    body: changeOf(taskBaseFields).extend(ofTask),
    errors: [500001, 500002, 500004, 500010, 500014, 900007],
    statuses: [409],
  }),
  updateConfig: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/updateControlConfig',
    permission: 'surveillance.rule',
    summary: 'Changes where a task looks out, for whom and how strictly; name and time too, so that a form saves all at once.',
    record: read,
    body: changeOf(monitoringTaskFields.omit({ enabled: true })).extend(ofTask),
    errors: [300203, 500001, 500002, 500004, 500006, 500007, 500008, 500009, 500010, 500011, 900007],
    statuses: [409],
  }),
  delete: call({
    method: 'GET',
    service: 'biz',
    path: '/surveillance/deleteControlById',
    effect: 'write',
    permission: 'surveillance.rule',
    summary: 'Deletes a task that is not in control; its alarms and captures stay.',
    query: idQuery,
    errors: [500001, 500003],
  }),
}
