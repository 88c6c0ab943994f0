/** Alarms of devices: events at a door (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatusAlt, alarmLevel, alertBubbleType, deviceAlarmHandling } from '../enums/alarms.ts'
import { abilities, findQuery, id, idQuery, instant, pageData } from '../schema.ts'
import { ALARM_TABS, DEALING_RECORD_MAX, handledFields } from './handling.ts'

const call = callsOf('alarms')

export const deviceEvent = z.object({
  id,
  deviceId: id,
  deviceName: z.string(),
  deviceType: z.number().int(),
  /** Number of the enum `alarmType`. */
  type: z.number().int(),
  level: alarmLevel.schema,
  alertTime: instant,
  /** When it was over; equal to `alertTime` for a momentary one, null while it lasts. */
  endedAt: instant.nullable(),
  receivedAt: instant,
  /** Empty where there is no picture. */
  imageUrl: z.string(),
  /** A clip can be asked for. */
  hasVideo: z.boolean(),
  status: alarmHandlingStatusAlt.schema,
  /** Null while it is unhandled. */
  handling: deviceAlarmHandling.schema.nullable(),
  ...handledFields,
  can: abilities('dispose'),
})
export type DeviceEvent = z.output<typeof deviceEvent>

/** The specification's AlarmBubble, of an event of a device. */
export const deviceEventBubble = deviceEvent
  .pick({
    id: true,
    deviceId: true,
    deviceName: true,
    deviceType: true,
    type: true,
    level: true,
    alertTime: true,
    endedAt: true,
    imageUrl: true,
    status: true,
    escalatedAt: true,
  })
  .extend({ bubbleType: z.literal(alertBubbleType.deviceAlarm) })
export type DeviceEventBubble = z.output<typeof deviceEventBubble>

export const deviceEventCalls = {
  list: call({
    method: 'POST',
    service: 'biz',
    path: '/alert/device/event/list',
    effect: 'read',
    permission: 'access.alert',
    summary: 'Events at doors of the current park, newest first.',
    body: findQuery.extend({
      tab: z.enum(ALARM_TABS).optional(),
      status: alarmHandlingStatusAlt.schema.optional(),
      type: z.number().int().optional(),
      deviceId: id.optional(),
      /** Default: the last 7 days; at most 366. */
      startTime: instant.optional(),
      endTime: instant.optional(),
    }),
    data: pageData(deviceEvent),
    errors: [900007],
  }),
  dispose: call({
    method: 'POST',
    service: 'biz',
    path: '/alert/device/event/dispose',
    permission: 'surveillance.alert.handle',
    besides: ['access.alert'],
    summary: 'Handles an event at a door: followed up or ignored.',
    body: z.object({
      id,
      handling: deviceAlarmHandling.schema,
      dealingRecord: z.string().trim().max(DEALING_RECORD_MAX).optional(),
    }),
    data: deviceEvent,
    errors: [500012, 500013],
  }),
  video: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/device/event/get/video',
    permission: 'access.alert',
    summary: 'The clip of an event at a door; `available: false` where no recording covers its time.',
    query: idQuery,
    data: z.object({ available: z.boolean(), url: z.string(), startTime: instant.nullable(), endTime: instant.nullable() }),
    errors: [500012],
  }),
}
