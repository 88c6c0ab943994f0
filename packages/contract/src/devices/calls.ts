/** Terminals, cameras and gates: the register, pairing, door control (module M06). */
import { z } from 'zod'
import { call } from '../call.ts'
import { created, id, idParams, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { rule } from '../validation.ts'

export const deviceCode = z.string().trim().min(1).max(64).refine((value) => /^[A-Za-z0-9_-]+$/.test(value), rule('deviceCode'))

export const deviceFields = z.object({
  code: deviceCode,
  name: z.string().trim().min(1).max(64),
  type: z.number().int().min(1).max(16).default(3),
  model: z.number().int().min(1).max(12).default(4),
  groupId: id.nullish(),
  direction: z.union([z.literal(1), z.literal(2)]).default(1),
})

export const device = z.object({
  id,
  code: z.string(),
  name: z.string(),
  type: z.number().int(),
  model: z.number().int(),
  groupId: id.nullable(),
  groupName: z.string(),
  direction: z.number().int(),
  onlineStatus: z.number().int(),
  /** Time of the last sign of life, if any. */
  lastSeenAt: instant.nullable(),
  ip: z.string(),
  firmwareVersion: z.string(),
  /** 0 never paired, 1 paired. */
  authorisationStatus: z.number().int(),
  /** Persons the device should hold and does hold, as last told. */
  personsDesired: z.number().int(),
  personsHeld: z.number().int(),
  /** Persons it holds and cannot recognise. */
  personsFailed: z.number().int(),
  createdAt: instant,
  version: z.number().int(),
})
export type Device = z.output<typeof device>

/** Shown once: the secret is stored as a hash. */
export const pairingSecret = z.object({ id, code: z.string(), secret: z.string() })

export interface DeviceGroupNode {
  id: string
  name: string
  parentId: string | null
  deviceCount: number
  children: DeviceGroupNode[]
}
export const deviceGroupNode: z.ZodType<DeviceGroupNode> = z.lazy(() =>
  z.object({ id, name: z.string(), parentId: id.nullable(), deviceCount: z.number().int(), children: z.array(deviceGroupNode) }),
)

export const deviceQuery = pageQuery.extend({
  name: z.string().max(64).optional(),
  code: z.string().max(64).optional(),
  type: z.coerce.number().int().optional(),
  onlineStatus: z.coerce.number().int().min(0).max(1).optional(),
  groupId: id.optional(),
})

export const deviceCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/device/list',
    permission: 'device.list',
    summary: 'Devices of the current park.',
    query: deviceQuery,
    data: pageData(device),
    origin: 'own',
  }),
  read: call({ method: 'GET', service: 'biz', path: '/device/{id}', permission: 'device.list', summary: 'One device.', params: idParams, data: device, origin: 'own' }),
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/device',
    permission: 'device.list',
    summary: 'Registers a device; the answer holds its pairing secret, once.',
    body: deviceFields,
    data: pairingSecret,
    errors: [400005, 400006, 400204],
    origin: 'own',
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/device',
    permission: 'device.list',
    summary: 'Changes a device; its code stays.',
    body: deviceFields.omit({ code: true }).extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [400005, 400204],
    origin: 'own',
  }),
  resetSecret: call({
    method: 'POST',
    service: 'biz',
    path: '/device/{id}/secret',
    permission: 'device.list',
    summary: 'Makes a new pairing secret; the old one ends at once and a connected device is cut off.',
    params: idParams,
    data: pairingSecret,
    origin: 'own',
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/device',
    permission: 'device.list',
    summary: 'Deletes devices; their records stay, strategies that name them let go of them.',
    query: z.object({ ids: queryList(id) }),
    data: z.object({ deleted: z.number().int() }),
    origin: 'own',
  }),
  summary: call({
    method: 'GET',
    service: 'biz',
    path: '/device/summary',
    permission: 'device.list',
    summary: 'Counts for the home page.',
    data: z.object({
      total: z.number().int(),
      online: z.number().int(),
      neverPaired: z.number().int(),
      offline: z.array(z.object({ id, name: z.string(), lastSeenAt: instant.nullable() })),
      notSynced: z.array(z.object({ id, name: z.string(), missing: z.number().int() })),
    }),
    origin: 'own',
  }),
  groupTree: call({
    method: 'POST',
    service: 'as',
    path: '/areaCodes/deviceGroup',
    permission: 'self',
    summary: 'Device groups of the current park.',
    data: z.array(deviceGroupNode),
  }),
  createGroup: call({
    method: 'POST',
    service: 'biz',
    path: '/device/group',
    permission: 'device.list',
    summary: 'Adds a device group.',
    body: z.object({ name: z.string().trim().min(1).max(32), parentId: id.nullish() }),
    data: created,
    errors: [200107],
    origin: 'own',
  }),
  controlDoor: call({
    method: 'POST',
    service: 'biz',
    path: '/device/controlDoor',
    permission: 'device.list',
    summary: 'Opens (1), holds open (2) or closes (3) a door.',
    body: z.object({ deviceId: id, operateType: z.union([z.literal(1), z.literal(2), z.literal(3)]) }),
    data: z.object({ isSuccess: z.boolean(), errorType: z.number().int().nullable() }),
    errors: [400205, 400206],
  }),
}
