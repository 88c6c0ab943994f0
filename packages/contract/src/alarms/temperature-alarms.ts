/** Temperature alarms: persons whose temperature was measured as too high or too low at a door (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { temperatureStatus } from '../enums/access.ts'
import { alarmHandlingStatus, alarmLevel } from '../enums/alarms.ts'
import { masked, searches } from '../masking.ts'
import { abilities, findQuery, id, idQuery, instant, pageData } from '../schema.ts'
import { dealingStep } from './face-alarms.ts'
import { ALARM_TABS, DEALING_RECORD_MAX, handledFields } from './handling.ts'

const call = callsOf('alarms')

export const temperatureAlarm = z.object({
  id,
  level: alarmLevel.schema,
  status: alarmHandlingStatus.schema,
  /** First measurement, by the clock of the device set right; `lastTime` is the last one that was counted with it. */
  time: instant,
  lastTime: instant,
  /** Number of measurements. */
  count: z.number().int(),
  /** Degrees Celsius as first measured, or a mark of `temperatureSpecialValue`; null where the device sent none. */
  temperature: z.number().nullable(),
  temperatureStatus: temperatureStatus.schema,
  deviceId: id,
  deviceName: z.string(),
  /** First passage. */
  recordId: id,
  /** Null for a stranger, and for a person who is no longer registered. */
  personId: id.nullable(),
  personName: masked('name', z.string()),
  captureImage: z.string(),
  captureThumbnail: z.string(),
  registeredImage: z.string(),
  ...handledFields,
  can: abilities('deal', 'finish'),
  version: z.number().int(),
})
export type TemperatureAlarm = z.output<typeof temperatureAlarm>

export const temperatureAlarmCalls = {
  list: call({
    method: 'POST',
    service: 'biz',
    path: '/alert/temperature/list',
    effect: 'read',
    permission: 'epidemic.prevention.alert.list',
    summary: 'Abnormal temperatures at doors of the current park, newest first.',
    body: findQuery.extend({
      tab: z.enum(ALARM_TABS).optional(),
      status: alarmHandlingStatus.schema.optional(),
      temperatureStatus: temperatureStatus.schema.optional(),
      deviceId: id.optional(),
      personName: searches('name', z.string().max(64)).optional(),
      /** Default: the last 7 days; at most 366. */
      startTime: instant.optional(),
      endTime: instant.optional(),
    }),
    data: pageData(temperatureAlarm),
    errors: [900007],
  }),
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/temperature',
    permission: 'epidemic.prevention.alert.list',
    summary: 'One temperature alarm with the steps of its handling.',
    query: idQuery,
    data: temperatureAlarm.extend({ steps: z.array(dealingStep) }),
    errors: [500012],
  }),
  handle: call({
    method: 'PUT',
    service: 'biz',
    path: '/alert/temperature/status',
    permission: 'surveillance.alert.handle',
    besides: ['epidemic.prevention.alert.list'],
    summary: 'Begins to deal with a temperature alarm, or ends it. A user who ends an undealt one begins it as well.',
    body: z.object({
      id,
      status: alarmHandlingStatus.schema,
      dealingRecord: z.string().trim().max(DEALING_RECORD_MAX).optional(),
      version: z.number().int().optional(),
    }),
    data: temperatureAlarm,
    errors: [500012, 500013, 500014],
    statuses: [409],
  }),
}
