/** STOMP destinations and their payloads. A frame contains complete rows; `more` is the number of rows left out. */
import { z } from 'zod'
import { aiBoxBubble } from './alarms/ai-box.ts'
import { deviceEventBubble } from './alarms/device-events.ts'
import { faceAlarmBubble } from './alarms/face-alarms.ts'
import { maintenanceBubble } from './alarms/maintenance-alarms.ts'
import { ruleAlarm } from './alarms/rule-alarms.ts'
import { accessRecord } from './records/calls.ts'
import { device, deviceFetch } from './devices/device.ts'
import { doorNow } from './doors/calls.ts'
import { visitAlert } from './visitors/alerts.ts'
import type { Permission, Schema } from './call.ts'
import type { Condition } from './conditions.ts'

export interface Topic<S extends Schema = Schema> {
  /** With `{areaCode}`. */
  destination: string
  permission: Permission
  condition?: Condition
  /** A data screen subscribes to it: see `dataScreen` of a call. */
  dataScreen?: true
  payload: S
}
const topic = <S extends Schema>(definition: Topic<S>): Topic<S> => Object.freeze(definition)

export const REALTIME_ENDPOINT = '/bizService/uface/v1/connect'

export const topics = {
  accessRecord: topic({
    destination: '/topic/{areaCode}/access/record',
    permission: 'access.record',
    dataScreen: true,
    payload: z.object({ rows: z.array(accessRecord), more: z.number().int().optional() }),
  }),
  deviceStatus: topic({
    destination: '/topic/{areaCode}/device/status',
    permission: 'device.list',
    dataScreen: true,
    payload: z.object({
      rows: z.array(
        device.pick({
          id: true,
          onlineStatus: true,
          authorisationStatus: true,
          released: true,
          lastSeenAt: true,
          onlineSince: true,
          personsDesired: true,
          personsHeld: true,
          personsWithoutPhoto: true,
        }),
      ),
      more: z.number().int().optional(),
    }),
  }),
  /**
   * Access records on which a person of the watch list was found, sent as soon as they were: otherwise only a second frame on
   * `accessRecord` would show it.
   */
  watchListHits: topic({
    destination: '/topic/{areaCode}/access/watchList',
    permission: 'access.record',
    condition: 'notOther',
    payload: z.object({ rows: z.array(accessRecord), more: z.number().int().optional() }),
  }),
  /** Devices that received persons for the first time since their secret was created. */
  deviceFetched: topic({
    destination: '/topic/{areaCode}/device/fetched',
    permission: 'own:device.pair',
    payload: z.object({ rows: z.array(deviceFetch), more: z.number().int().optional() }),
  }),
  /** Doors whose state changed, that received a command, or whose remote control was taken by a user. */
  doors: topic({
    destination: '/topic/{areaCode}/device/door',
    permission: 'device.list',
    payload: z.object({ rows: z.array(doorNow), more: z.number().int().optional() }),
  }),
  /** Alarms of AI boxes: new ones, and those that were handled. */
  aiBoxEvents: topic({
    destination: '/topic/{areaCode}/alert/aiBoxEvent',
    permission: 'access.alert',
    payload: z.object({ rows: z.array(aiBoxBubble), more: z.number().int().optional() }),
  }),
  /** Events at doors that are new, have ended, have a picture now, or were handled. */
  deviceEvents: topic({
    destination: '/topic/{areaCode}/alert/deviceEvent',
    permission: 'access.alert',
    payload: z.object({ rows: z.array(deviceEventBubble), more: z.number().int().optional() }),
  }),
  /** Devices whose processor, memory or disk runs short; alarms of them that are over, escalated or handled. */
  deviceAlerts: topic({
    destination: '/topic/{areaCode}/alert/device',
    permission: 'device.list',
    payload: z.object({ rows: z.array(maintenanceBubble), more: z.number().int().optional() }),
  }),
  /** Visits that have to be reviewed by the desk, or confirmed by the host. */
  visitorCheckAlert: topic({
    destination: '/topic/{areaCode}/visitorCheckAlert',
    permission: 'visitor.report',
    payload: z.object({ rows: z.array(visitAlert), more: z.number().int().optional() }),
  }),
  /** Visitors who have signed in or passed their first door. */
  visitorArriveAlert: topic({
    destination: '/topic/{areaCode}/visitorArriveAlert',
    permission: 'visitor.report',
    payload: z.object({ rows: z.array(visitAlert), more: z.number().int().optional() }),
  }),
  /** Rule alarms that were raised, counted once more, escalated or handled. No pop-up: the list alone shows them. */
  ruleAlarms: topic({
    destination: '/topic/{areaCode}/alert/rule',
    permission: 'surveillance.alert',
    payload: z.object({ rows: z.array(ruleAlarm), more: z.number().int().optional() }),
  }),
  /** Alarms of faces that were raised or handled, or whose picture has arrived. */
  faceAlarms: topic({
    destination: '/topic/{areaCode}/alert/person',
    permission: 'surveillance.alert',
    payload: z.object({ rows: z.array(faceAlarmBubble), more: z.number().int().optional() }),
  }),
}
export type TopicPayload<T extends Topic> = T['payload'] extends Schema<infer O> ? O : never
