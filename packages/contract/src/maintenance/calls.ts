/** Maintenance of devices: offline log, logs to download, resources, remote commands (module M06). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { exportStatus } from '../enums/common.ts'
import { abilities, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { RESOURCE_KINDS, resourceThresholds, resourceUsage } from './resources.ts'

const call = callsOf('maintenance')

/** Hours for which a request for a log stays pending if the device is offline. */
export const DEVICE_LOG_WAITS = 24
/** Maximum size of a compressed log in bytes. */
export const DEVICE_LOG_MAX = 8 * 1024 * 1024
/** Commands of `controlAgent`. */
export const AGENT_COMMANDS = ['restart', 'synchronise', 'resource'] as const

const time = z.coerce.number().int().min(0).max(8_640_000_000_000_000)
const deviceId = id
const errorType = z.number().int().nullable()

/** Period in which a device was offline. */
export const deviceAbsence = z.object({
  id,
  deviceId,
  deviceName: z.string(),
  /** When the device went offline. */
  since: instant,
  /** When it came back online; null: it has not. */
  until: instant.nullable(),
})
export type DeviceAbsence = z.output<typeof deviceAbsence>

/** A log that was requested. */
export const deviceLog = z.object({
  id,
  deviceId,
  deviceName: z.string(),
  time: instant,
  /** Value of the enum `exportStatus`: waiting, exporting, exported, failed. */
  status: z.number().int(),
  /** Why it failed, as for `controlDoor`; null if it did not fail. */
  errorType,
  operator: z.string(),
  /** Address of the file; empty until it exists. */
  fileUrl: z.string(),
  /** Compressed size in bytes. */
  size: z.number().int(),
  /** When the file is removed; null until it exists. */
  keptUntil: instant.nullable(),
  can: abilities('download', 'retry'),
})
export type DeviceLog = z.output<typeof deviceLog>

/** A share of a device's resources reached its threshold. */
export const resourceAlert = z.object({
  id,
  deviceId,
  deviceName: z.string(),
  kind: z.enum(RESOURCE_KINDS),
  /** Usage in percent when the alert was raised. */
  value: z.number(),
  threshold: z.number().int(),
  raisedAt: instant,
  /** End of the alert; null while it is active. */
  clearedAt: instant.nullable(),
})
export type ResourceAlert = z.output<typeof resourceAlert>

/** Last known resources of a device. */
export const deviceResource = z.object({
  deviceId,
  /** Last reported usage; null: none was reported. */
  usage: resourceUsage.extend({ at: instant }).nullable(),
  /** Whether the device answered a request made by this call. */
  isFresh: z.boolean(),
  /** Why it did not answer, as for `controlDoor`; null if it did, or was not asked. */
  errorType,
  thresholds: resourceThresholds,
  /** Active alerts. */
  alerts: z.array(resourceAlert),
})
export type DeviceResource = z.output<typeof deviceResource>

export const maintenanceCalls = {
  offline: call({
    method: 'GET',
    service: 'biz',
    path: '/device/offline/list',
    permission: 'device.list',
    summary: 'When devices went offline and came back; newest first. A period finds what reaches into it.',
    query: pageQuery.extend({ deviceId: id.optional(), startTime: time.optional(), endTime: time.optional() }),
    data: pageData(deviceAbsence),
  }),
  requestLog: call({
    method: 'GET',
    service: 'biz',
    path: '/device/log/download',
    effect: 'write',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Asks a device for its log; an offline one sends it when it is back, within a day. One that is asked for already is that one.',
    query: z.object({ deviceId: id }),
    data: created,
  }),
  logs: call({
    method: 'GET',
    service: 'biz',
    path: '/device/log/record',
    permission: 'device.list',
    summary: 'Logs that were asked for, newest first; kept 7 days.',
    query: pageQuery.extend({ deviceId: id.optional(), status: z.coerce.number().pipe(exportStatus.schema).optional() }),
    data: pageData(deviceLog),
  }),
  logFile: call({
    method: 'GET',
    service: 'biz',
    path: '/device/log/{id}/file',
    permission: 'device.list',
    summary: 'The log a device sent, as a compressed text.',
    params: idParams,
    produces: 'file',
    origin: 'own',
  }),
  retryLog: call({
    method: 'POST',
    service: 'biz',
    path: '/device/log/{id}/retry',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Asks once more for a log that failed.',
    params: idParams,
    data: created,
    statuses: [409],
    origin: 'own',
  }),
  resource: call({
    method: 'POST',
    service: 'biz',
    path: '/device/resource',
    effect: 'read',
    permission: 'device.list',
    summary: 'Processor, memory and disk of a device: asked of it where it is online, else as it last told.',
    body: z.object({ deviceId: id }),
    data: deviceResource,
  }),
  resourceAlerts: call({
    method: 'GET',
    service: 'biz',
    path: '/device/resource/alert/list',
    permission: 'device.list',
    summary: 'When processor, memory or disk of devices were too full; newest first.',
    query: pageQuery.extend({ deviceId: id.optional(), open: z.union([z.boolean(), z.stringbool()]).optional() }),
    data: pageData(resourceAlert),
    origin: 'own',
  }),
  thresholds: call({
    method: 'GET',
    service: 'biz',
    path: '/device/resource/setting',
    permission: 'device.list',
    summary: 'From which shares on processor, memory and disk of the park’s devices are too full.',
    data: resourceThresholds.extend({ version: z.number().int() }),
    origin: 'own',
  }),
  saveThresholds: call({
    method: 'POST',
    service: 'biz',
    path: '/device/resource/setting',
    permission: 'device.setting',
    summary: 'Changes those shares; devices that are online are told.',
    body: resourceThresholds.extend({ version: z.number().int().optional() }),
    origin: 'own',
  }),
  controlAgent: call({
    method: 'POST',
    service: 'biz',
    path: '/device/controlAgent',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Runs a named command on a device and answers its result.',
    body: z.object({ deviceId: id, command: z.enum(AGENT_COMMANDS) }),
    data: z.object({ isSuccess: z.boolean(), errorType, result: z.record(z.string(), z.unknown()).nullable() }),
    errors: [400001],
  }),
  sendLog: call({
    method: 'POST',
    service: 'device',
    path: '/log/{id}',
    permission: 'device',
    summary: 'The log the server asked for with the command `sendLog`, gzipped; repeated sending changes nothing.',
    params: idParams,
    consumes: 'multipart',
    data: created,
    bodyLimit: DEVICE_LOG_MAX,
    origin: 'own',
  }),
  reportResource: call({
    method: 'POST',
    service: 'device',
    path: '/resource',
    permission: 'device',
    summary:
      'A device tells its resources: once after its start, and when a share has crossed a threshold. The answer holds the thresholds.',
    body: resourceUsage,
    data: z.object({ thresholds: resourceThresholds }),
    origin: 'own',
  }),
}
