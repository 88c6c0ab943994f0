/** Alarms of AI boxes: devices that watch the pictures of cameras for events of their own (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatusAlt, alarmLevel, alertBubbleType } from '../enums/alarms.ts'
import { masked } from '../masking.ts'
import { abilities, findQuery, id, instant, pageData } from '../schema.ts'
import { ALARM_TABS, DEALING_RECORD_MAX } from './handling.ts'

const call = callsOf('alarms')
const device = callsOf('device')

export const aiBoxAlarm = z.object({
  id,
  deviceId: id,
  deviceName: z.string(),
  eventTime: instant,
  receivedAt: instant,
  /** Signed address; empty where there is no picture. */
  imagePath: z.string(),
  /** Word of the event as the box says it. */
  eventType: z.string(),
  /** Its name in the language of the request, where it is a known one; else as the box names it. */
  eventTypeName: z.string(),
  /** Camera on whose picture it was seen. */
  ipcName: z.string(),
  level: alarmLevel.schema,
  status: alarmHandlingStatusAlt.schema,
  operator: masked('name', z.string()),
  dealingRecord: z.string(),
  dealtAt: instant.nullable(),
  can: abilities('dispose'),
})
export type AiBoxAlarm = z.output<typeof aiBoxAlarm>

/** The specification's AlarmBubble, of an AI box. */
export const aiBoxBubble = aiBoxAlarm
  .pick({
    id: true,
    eventTime: true,
    imagePath: true,
    eventTypeName: true,
    ipcName: true,
    level: true,
    deviceId: true,
    deviceName: true,
    status: true,
  })
  .extend({ bubbleType: z.literal(alertBubbleType.aiBoxAlarm) })
export type AiBoxBubble = z.output<typeof aiBoxBubble>

/** Events that boxes of several makers know; a box may say others. */
export const AI_BOX_EVENTS = [
  'intrusion',
  'lineCrossing',
  'loitering',
  'crowd',
  'fall',
  'fight',
  'smoking',
  'phoning',
  'noHelmet',
  'noVest',
  'fire',
  'smoke',
  'leftObject',
  'vehicle',
] as const

const option = z.object({ value: z.string(), name: z.string() })

export const aiBoxCalls = {
  range: call({
    method: 'GET',
    service: 'biz',
    path: '/ai-box/range',
    permission: 'access.alert',
    summary: 'Cameras that AI boxes of the park have told of, to filter by.',
    data: z.array(option),
  }),
  level: call({
    method: 'GET',
    service: 'biz',
    path: '/ai-box/level',
    permission: 'access.alert',
    summary: 'Levels of alarms of AI boxes, to filter by.',
    data: z.array(option),
  }),
  event: call({
    method: 'GET',
    service: 'biz',
    path: '/ai-box/event',
    permission: 'access.alert',
    summary: 'Kinds of events of AI boxes: the known ones, and those that boxes of the park have told of.',
    data: z.array(option),
  }),
  list: call({
    method: 'POST',
    service: 'biz',
    path: '/ai-box/record/list',
    effect: 'read',
    permission: 'access.alert',
    summary: 'Alarms of AI boxes of the current park, newest first.',
    body: findQuery.extend({
      tab: z.enum(ALARM_TABS).optional(),
      status: alarmHandlingStatusAlt.schema.optional(),
      /** Value of `range`. */
      range: z.string().max(64).optional(),
      level: alarmLevel.schema.optional(),
      /** Value of `event`. */
      event: z.string().max(64).optional(),
      deviceId: id.optional(),
      /** Default: the last 7 days; at most 366. */
      startTime: instant.optional(),
      endTime: instant.optional(),
    }),
    data: pageData(aiBoxAlarm),
  }),
  dispose: call({
    method: 'POST',
    service: 'biz',
    path: '/ai-box/dispose',
    permission: 'surveillance.alert.handle',
    besides: ['access.alert'],
    summary: 'Handles an alarm of an AI box: false alarm (1), ignored (2) or followed up (3).',
    body: z.object({
      id,
      status: z.literal([alarmHandlingStatusAlt.falseAlarm, alarmHandlingStatusAlt.ignored, alarmHandlingStatusAlt.handling]),
      dealingRecord: z.string().trim().max(DEALING_RECORD_MAX).optional(),
    }),
    data: aiBoxAlarm,
    errors: [500012, 500013],
  }),
}

/** Calls that AI boxes make, with their code and secret. */
export const aiBoxDeviceCalls = {
  event: device({
    method: 'POST',
    service: 'device',
    path: '/aiBox/event',
    permission: 'device',
    summary: 'An event that an AI box saw. The same `eventId` of a box is taken once, and repeated sending changes nothing.',
    body: z.object({
      eventId: z.string().trim().min(1).max(64),
      /** A word of `AI_BOX_EVENTS`, or one of the box. */
      eventType: z.string().trim().min(1).max(64),
      /** How the box names the event; counts for words that are not known. */
      eventTypeName: z.string().trim().max(64).optional(),
      eventTime: instant,
      ipcName: z.string().trim().max(64).optional(),
      level: alarmLevel.schema.optional(),
      /** Base64 of a JPEG, PNG or WebP. */
      image: z
        .string()
        .max(4 * 1024 * 1024)
        .optional(),
    }),
    data: z.object({ id, /** Whether it was known already. */ repeated: z.boolean() }),
    errors: [200205],
    statuses: [404],
    bodyLimit: 6 * 1024 * 1024,
    origin: 'own',
  }),
}
