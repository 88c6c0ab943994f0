/** Remote control of doors (module M06): operating one or many, who has taken the control of which, and who requested what. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { doorOperation, openDoorStatus } from '../enums/devices.ts'
import { id, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { DOOR_STATES } from './state.ts'

const call = callsOf('doors')

/** Maximum number of devices in a batch. */
export const DOORS_AT_ONCE = 100
/** Seconds for which a user keeps a door's remote control after an operation, unless the park sets another time. */
export const DOOR_HELD_OPEN = 10
/** Days for which door requests are kept. */
export const DOOR_REQUESTS_KEPT = 90

const flag = z.union([z.literal(0), z.literal(1)])
const operateType = z.union([z.literal(1), z.literal(2), z.literal(3)])
const errorType = z.number().int().nullable()

export const doorSetting = z.object({
  /** Seconds after an operation for which no other user can control the door; 0: only while the operation is running. */
  holdSeconds: z.number().int().min(0).max(600),
  /** 1: a user who opens a door is asked to confirm. */
  confirmFlag: flag,
})
export type DoorSetting = z.output<typeof doorSetting>

/** Current state of a door. */
export const doorNow = z.object({
  deviceId: id,
  state: z.enum(DOOR_STATES),
  /** User who has its remote control, until `heldUntil`; null: no one. */
  heldBy: z.object({ id, name: z.string() }).nullable(),
  heldUntil: instant.nullable(),
})
export type DoorNow = z.output<typeof doorNow>

/** Result for one device of a batch. */
export const doorOutcome = z.object({
  deviceId: id,
  deviceName: z.string(),
  isSuccess: z.boolean(),
  /** As for `controlDoor`, if the device received the request. */
  errorType,
  /** Code of the refusal if the device did not receive the request: 400205, 400206. */
  code: z.number().int().nullable(),
})
export type DoorOutcome = z.output<typeof doorOutcome>

/** Request of a user to a door. */
export const doorRequest = z.object({
  id,
  deviceId: id,
  deviceName: z.string(),
  operateType: z.number().int(),
  /** Value of the enum `openDoorStatus`. */
  status: z.number().int(),
  errorType,
  account: z.string(),
  operator: z.string(),
  time: instant,
  answeredAt: instant.nullable(),
})
export type DoorRequest = z.output<typeof doorRequest>

export const doorCalls = {
  controlDoor: call({
    method: 'POST',
    service: 'biz',
    path: '/device/controlDoor',
    permission: 'device.list',
    besides: ['own:door.open'],
    summary: 'Opens (1), holds open (2) or closes (3) a door.',
    body: z.object({ deviceId: id, operateType }),
    data: z.object({ isSuccess: z.boolean(), errorType }),
    errors: [400205, 400206],
  }),
  setting: call({
    method: 'GET',
    service: 'biz',
    path: '/device/controlDoor/setting',
    permission: 'device.list',
    summary: 'How doors are controlled in the park; with a device also whether opening that one is to be confirmed.',
    query: z.object({ deviceId: id.optional() }),
    data: doorSetting.extend({ version: z.number().int() }),
  }),
  saveSetting: call({
    method: 'POST',
    service: 'biz',
    path: '/device/controlDoor/setting',
    permission: 'device.setting',
    summary: 'Changes how doors are controlled in the park.',
    body: doorSetting.extend({ version: z.number().int().optional() }),
    origin: 'own',
  }),
  controlMany: call({
    method: 'POST',
    service: 'biz',
    path: '/device/controlDoor/batch',
    permission: 'device.list',
    besides: ['own:door.open'],
    summary: 'The same operation at several doors; each has its own outcome, and none stops the others.',
    body: z.object({ deviceIds: z.array(id).min(1).max(DOORS_AT_ONCE), operateType }),
    data: z.object({ results: z.array(doorOutcome) }),
    origin: 'own',
  }),
  states: call({
    method: 'GET',
    service: 'biz',
    path: '/device/controlDoor/state',
    permission: 'device.list',
    summary: 'What is known of the named doors; without names, of all that are not simply closed or that somebody holds.',
    query: z.object({ deviceIds: queryList(id) }),
    data: z.array(doorNow),
    origin: 'own',
  }),
  requests: call({
    method: 'GET',
    service: 'biz',
    path: '/device/controlDoor/record',
    permission: 'device.list',
    summary: 'Who asked which door for what, and what came of it; newest first, kept 90 days.',
    query: pageQuery.extend({
      deviceId: id.optional(),
      operateType: z.coerce.number().pipe(doorOperation.schema).optional(),
      status: z.coerce.number().pipe(openDoorStatus.schema).optional(),
      operator: z.string().max(64).optional(),
      startTime: z.coerce.number().int().min(0).max(8_640_000_000_000_000).optional(),
      endTime: z.coerce.number().int().min(0).max(8_640_000_000_000_000).optional(),
    }),
    data: pageData(doorRequest),
    origin: 'own',
  }),
}
