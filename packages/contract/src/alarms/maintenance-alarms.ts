/** Maintenance alarms: what a device needs somebody for, as when its processor, memory or disk runs short (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatusAlt, alarmLevel, alertBubbleType, deviceAlarmHandling } from '../enums/alarms.ts'
import type { ValueOf } from '../enums/definition.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../maintenance/resources.ts'
import { abilities, id, idQuery, instant, pageData, pageQuery, queryNumber } from '../schema.ts'
import { ALARM_TABS, DEALING_RECORD_MAX, handledFields } from './handling.ts'

const call = callsOf('alarms')

/** A device that is busy is slow; one without room on its disk cannot keep records. */
export const MAINTENANCE_LEVELS: Readonly<Record<ResourceKind, ValueOf<typeof alarmLevel>>> = {
  cpu: alarmLevel.medium,
  memory: alarmLevel.medium,
  disk: alarmLevel.high,
}

export const maintenanceAlarm = z.object({
  id,
  deviceId: id,
  deviceCode: z.string(),
  deviceName: z.string(),
  /** What runs short. */
  alertType: z.enum(RESOURCE_KINDS),
  level: alarmLevel.schema,
  /** Share in use when the alarm was raised, in percent. */
  usagePercent: z.number(),
  threshold: z.number().int(),
  checkTime: instant,
  /** When it was over by itself; null while it lasts. It says nothing of its handling. */
  clearedAt: instant.nullable(),
  status: alarmHandlingStatusAlt.schema,
  /** Null while it is unhandled. */
  handling: deviceAlarmHandling.schema.nullable(),
  ...handledFields,
  can: abilities('dispose'),
})
export type MaintenanceAlarm = z.output<typeof maintenanceAlarm>

/** The specification's AlarmBubble, of a device that needs somebody. */
export const maintenanceBubble = maintenanceAlarm
  .pick({
    id: true,
    deviceId: true,
    deviceCode: true,
    deviceName: true,
    alertType: true,
    level: true,
    usagePercent: true,
    threshold: true,
    checkTime: true,
    clearedAt: true,
    status: true,
    escalatedAt: true,
  })
  .extend({ bubbleType: z.literal(alertBubbleType.device) })
export type MaintenanceBubble = z.output<typeof maintenanceBubble>

export const maintenanceAlarmCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/device/alert/list',
    permission: 'device.list',
    summary: 'When processor, memory or disk of devices ran short, and who dealt with it; newest first.',
    query: pageQuery.extend({
      tab: z.enum(ALARM_TABS).optional(),
      status: queryNumber.pipe(alarmHandlingStatusAlt.schema).optional(),
      alertType: z.enum(RESOURCE_KINDS).optional(),
      deviceId: id.optional(),
      /** Whether it lasts; absent: both those that do and those that are over. */
      lasting: z.union([z.boolean(), z.stringbool()]).optional(),
      startTime: queryNumber.pipe(instant).optional(),
      endTime: queryNumber.pipe(instant).optional(),
    }),
    data: pageData(maintenanceAlarm),
    errors: [900007],
  }),
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/device/alert',
    permission: 'device.list',
    summary: 'One alarm of a device’s resources.',
    query: idQuery,
    data: maintenanceAlarm,
    errors: [500012],
  }),
  dispose: call({
    method: 'POST',
    service: 'biz',
    path: '/device/alert/dispose',
    permission: 'surveillance.alert.handle',
    besides: ['device.list'],
    summary: 'Handles an alarm of a device’s resources, whether it lasts or is over: followed up or ignored.',
    body: z.object({
      id,
      handling: deviceAlarmHandling.schema,
      dealingRecord: z.string().trim().max(DEALING_RECORD_MAX).optional(),
    }),
    data: maintenanceAlarm,
    errors: [500012, 500013],
    origin: 'own',
  }),
}
