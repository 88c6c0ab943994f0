/** Alarms of AI boxes: devices that watch the pictures of cameras for events of their own (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatusAlt, alarmLevel, alertBubbleType } from '../enums/alarms.ts'
import type { ValueOf } from '../enums/definition.ts'
import { abilities, findQuery, id, instant, pageData } from '../schema.ts'
import { ALARM_TABS, DEALING_RECORD_MAX, handledFields } from './handling.ts'

const call = callsOf('alarms')

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
  ...handledFields,
  can: abilities('dispose'),
})
export type AiBoxAlarm = z.output<typeof aiBoxAlarm>

/** The specification's AlarmBubble, of an AI box. */
export const aiBoxBubble = aiBoxAlarm
  .pick({
    id: true,
    eventTime: true,
    imagePath: true,
    eventType: true,
    eventTypeName: true,
    ipcName: true,
    level: true,
    deviceId: true,
    deviceName: true,
    status: true,
    escalatedAt: true,
  })
  .extend({
    /** As the box names it, or its word: a frame has no language. Known words are worded by `i18n/<lang>/aiBoxEvents.json`. */
    eventTypeName: z.string(),
    bubbleType: z.literal(alertBubbleType.aiBoxAlarm),
  })
export type AiBoxBubble = z.output<typeof aiBoxBubble>

/** Events that boxes of several makers know, worded in `i18n/<lang>/aiBoxEvents.json`; a box may say others. */
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
export type AiBoxEvent = (typeof AI_BOX_EVENTS)[number]

export const isKnownEvent = (word: string): word is AiBoxEvent => (AI_BOX_EVENTS as readonly string[]).includes(word)

/** Levels of events for which a box names none; the others are of medium level. */
const LEVELS: Readonly<Record<string, ValueOf<typeof alarmLevel>>> = {
  fire: alarmLevel.high,
  smoke: alarmLevel.high,
  fight: alarmLevel.high,
  intrusion: alarmLevel.high,
  smoking: alarmLevel.low,
  phoning: alarmLevel.low,
} satisfies Partial<Record<AiBoxEvent, number>>

/** Return the level of an event for which its box names none. */
export const usualLevelOf = (word: string): ValueOf<typeof alarmLevel> => (Object.hasOwn(LEVELS, word) ? LEVELS[word]! : alarmLevel.medium)

/** Bytes of the picture of an event. */
export const AI_BOX_IMAGE_MAX = 4 * 1024 * 1024

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
    errors: [900007],
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
