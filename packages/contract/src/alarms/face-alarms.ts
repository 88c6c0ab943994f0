/** Alarms of faces: a person that a monitoring task looks out for, or a stranger where it asks for that (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatus, alarmLevel, alarmMatchType, alarmSound, alertBubbleType, alertType } from '../enums/alarms.ts'
import { masked, searches } from '../masking.ts'
import { abilities, findQuery, id, idQuery, instant, pageData } from '../schema.ts'
import { ALARM_TABS, DEALING_RECORD_MAX } from './handling.ts'

const call = callsOf('alarms')

/** One step of an alarm's handling. */
export const dealingStep = z.object({
  status: z.number().int(),
  /** Name of the user. */
  operator: masked('name', z.string()),
  time: instant,
  record: z.string(),
})

export const faceAlarm = z.object({
  id,
  matchType: alarmMatchType.schema,
  level: alarmLevel.schema,
  status: alarmHandlingStatus.schema,
  /** When it was raised; `captureTime` is when the face was captured, by the clock of the device set right. */
  time: instant,
  captureTime: instant,
  /** The last capture that was counted with it, and how many were. */
  lastCaptureTime: instant,
  captures: z.number().int(),
  operator: masked('name', z.string()),
  dealingRecord: z.string(),
  /** When it was last dealt with; null: it was not yet. */
  dealtAt: instant.nullable(),
  /** When it was reported because nobody had begun to deal with it; null where it was not. */
  escalatedAt: instant.nullable(),
  /** Name at the time of the capture; empty for a stranger. */
  suspectPerson: masked('name', z.string()),
  personId: id.nullable(),
  groupName: z.string(),
  /** Raw score; null for a stranger. */
  score: z.number().nullable(),
  captureId: id,
  captureFaceImage: z.string(),
  captureThumbnail: z.string(),
  hitFaceImage: z.string(),
  taskId: id.nullable(),
  surveillanceName: z.string(),
  deviceId: id,
  deviceName: z.string(),
  deviceType: z.number().int(),
  sound: alarmSound.schema,
  /** Why the person is looked out for and what to do, where they are on the watch list. */
  reason: z.string(),
  instruction: z.string(),
  can: abilities('deal', 'finish'),
  version: z.number().int(),
})
export type FaceAlarm = z.output<typeof faceAlarm>

/** The specification's AlarmBubble, of a face. */
export const faceAlarmBubble = faceAlarm
  .pick({
    id: true,
    captureTime: true,
    captureFaceImage: true,
    hitFaceImage: true,
    score: true,
    groupName: true,
    surveillanceName: true,
    deviceType: true,
    deviceName: true,
    deviceId: true,
    level: true,
    status: true,
    escalatedAt: true,
    captures: true,
    sound: true,
    instruction: true,
    personId: true,
    version: true,
  })
  .extend({
    bubbleType: z.literal(alertBubbleType.alarm),
    /** 1: of the groups of the task; else a stranger. */
    alertType: alertType.schema,
    personName: masked('name', z.string()),
    /** The task: users choose by it whose alarms they are shown. */
    surveillanceId: id.nullable(),
  })
export type FaceAlarmBubble = z.output<typeof faceAlarmBubble>

export const faceAlarmFilter = findQuery.extend({
  tab: z.enum(ALARM_TABS).optional(),
  status: alarmHandlingStatus.schema.optional(),
  matchType: alarmMatchType.schema.optional(),
  level: alarmLevel.schema.optional(),
  /** Of the capture. Default: the last 7 days; at most 366. */
  startTime: instant.optional(),
  endTime: instant.optional(),
  deviceId: id.optional(),
  taskId: id.optional(),
  personId: id.optional(),
  personName: searches('name', z.string().max(64)).optional(),
})

export const faceAlarmCalls = {
  list: call({
    method: 'POST',
    service: 'biz',
    path: '/alert/list',
    effect: 'read',
    permission: 'surveillance.alert',
    summary: 'Alarms of faces of the current park, newest first.',
    body: faceAlarmFilter,
    data: pageData(faceAlarm),
    errors: [900007],
  }),
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/alert',
    permission: 'surveillance.alert',
    summary: 'One alarm of a face with the steps of its handling.',
    query: idQuery,
    data: faceAlarm.extend({ steps: z.array(dealingStep) }),
    errors: [500012],
  }),
  handle: call({
    method: 'PUT',
    service: 'biz',
    path: '/alert/status',
    permission: 'surveillance.alert.handle',
    besides: ['surveillance.alert'],
    summary: 'Begins to deal with an alarm, or ends it: confirmed, false alarm, or test. A user who ends an undealt one begins it as well.',
    body: z.object({
      id,
      status: alarmHandlingStatus.schema,
      dealingRecord: z.string().trim().max(DEALING_RECORD_MAX).optional(),
      version: z.number().int().optional(),
    }),
    data: faceAlarm,
    errors: [500012, 500013, 500014],
    statuses: [409],
  }),
}
