/** Remote control of doors (module M06): asking one or many, who holds which, and who asked for what. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { doorOperation, openDoorStatus } from '../enums/devices.ts'
import { id, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { DOOR_STATES } from './state.ts'

const call = callsOf('doors')

/** Devices one batch may name. */
export const DOORS_AT_ONCE = 100
/** Seconds somebody holds a door's remote control after an operation, unless the park says otherwise. */
export const DOOR_HELD_OPEN = 10
/** Days it can be seen who asked which door for what. */
export const DOOR_REQUESTS_KEPT = 90

const flag = z.union([z.literal(0), z.literal(1)])
const operateType = z.union([z.literal(1), z.literal(2), z.literal(3)])
const errorType = z.number().int().nullable()

export const doorSetting = z.object({
  /** Nobody else controls a door so many seconds after somebody did; 0: only while an operation is under way. */
  holdSeconds: z.number().int().min(0).max(600),
  /** 1: whoever opens a door is asked once more. */
  confirmFlag: flag,
})
export type DoorSetting = z.output<typeof doorSetting>

/** What is known of a door now. */
export const doorNow = z.object({
  deviceId: id,
  state: z.enum(DOOR_STATES),
  /** Who holds its remote control, until `heldUntil`; null: nobody. */
  heldBy: z.object({ id, name: z.string() }).nullable(),
  heldUntil: instant.nullable(),
})
export type DoorNow = z.output<typeof doorNow>

/** What came of one device of a batch. */
export const doorOutcome = z.object({
  deviceId: id,
  deviceName: z.string(),
  isSuccess: z.boolean(),
  /** As of controlDoor, where the device was asked. */
  errorType,
  /** Code of the refusal where it was not asked: 400205, 400206. */
  code: z.number().int().nullable(),
})
export type DoorOutcome = z.output<typeof doorOutcome>

/** Somebody asked a door for something. */
export const doorRequest = z.object({
  id,
  deviceId: id,
  deviceName: z.string(),
  operateType: z.number().int(),
  /** Of the enum `openDoorStatus`. */
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
