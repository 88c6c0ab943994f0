/** Calls for terminals, cameras and gates: the register and pairing (module M06). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { deviceOnlineStatus, deviceType } from '../enums/devices.ts'
import { changeOf, created, id, idParams, idQuery, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { BATCH_MAX, DEVICES_ADDED_AT_ONCE } from '../limits.ts'
import { refusedAs } from '../validation.ts'
import { deviceSignIn } from './sign-in.ts'
import { deviceChange, deviceFields } from './fields.ts'
import { deviceDetail } from './device.ts'
import { deviceGroupNode, deviceTreeNode, deviceGroupFields } from './groups.ts'

const call = callsOf('devices')

/** Returned once: the secret is stored as a hash. */
export const pairingSecret = z.object({ id, code: z.string(), secret: z.string() })
/** `secret` null: the caller may not pair devices; another user has to create the secret. */
export const addedDevice = pairingSecret.extend({ secret: z.string().nullable() })

/** Whether the persons of the access rules are sent to the device; absent: yes if the caller may change access rules. */
const release = { release: z.boolean().optional() }

/**
 * Reasons why a device needs attention: not paired, not released, other persons stored than it should, nearly full, data changed by others.
 */
export const DEVICE_ATTENTION = ['notPaired', 'notReleased', 'notSynced', 'nearlyFull', 'tampered'] as const

export const deviceQuery = pageQuery.extend({
  /** Part of the name or the code. */
  keyword: z.string().trim().max(64).optional(),
  name: z.string().max(64).optional(),
  code: z.string().max(64).optional(),
  type: z.coerce.number().pipe(deviceType.schema).optional(),
  onlineStatus: z.coerce.number().pipe(deviceOnlineStatus.schema).optional(),
  groupId: id.optional(),
  attention: z.enum(DEVICE_ATTENTION).optional(),
  /** Exactly as the device reported it. */
  firmwareVersion: z.string().max(64).optional(),
})

const read = call({
  method: 'GET',
  service: 'biz',
  path: '/device/{id}',
  permission: 'device.list',
  summary: 'One device.',
  params: idParams,
  data: deviceDetail,
  origin: 'own',
})
const groupTree = call({
  method: 'POST',
  service: 'as',
  path: '/areaCodes/deviceGroup',
  effect: 'read',
  permission: 'self',
  summary: 'Device groups of the current park.',
  data: z.array(deviceGroupNode),
})

export const deviceCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/device/list',
    permission: 'device.list',
    summary: 'Devices of the current park.',
    query: deviceQuery,
    data: pageData(deviceDetail),
    origin: 'own',
  }),
  read,
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/device',
    permission: 'device.list',
    besides: ['own:device.edit'],
    freshPassword: 'ofUsers',
    summary: 'Registers a device; the answer holds its pairing secret, once, where the caller may pair devices.',
    body: deviceFields.safeExtend(release),
    data: addedDevice,
    errors: [100510, 400005, 400006, 400204, 900000],
    statuses: [409],
    origin: 'own',
  }),
  createMany: call({
    method: 'POST',
    service: 'biz',
    path: '/device/batch',
    permission: 'device.list',
    besides: ['own:device.edit'],
    freshPassword: 'ofUsers',
    summary:
      'Registers up to ten devices, all or none; the answer holds the pairing secret of each, once, in their order, where the ' +
      'caller may pair devices.',
    body: z.object({ devices: z.array(deviceFields).min(1).max(DEVICES_ADDED_AT_ONCE, refusedAs(400003)), ...release }),
    data: z.array(addedDevice),
    errors: [100510, 400003, 400005, 400006, 400204, 900000],
    statuses: [409],
    origin: 'own',
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/device',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Changes a device; its code stays.',
    record: read,
    body: deviceChange,
    data: created,
    errors: [400005, 400006, 400204, 900000],
    origin: 'own',
  }),
  move: call({
    method: 'POST',
    service: 'biz',
    path: '/device/move',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Moves devices to a group, or out of any.',
    body: z.object({ ids: z.array(id).min(1).max(BATCH_MAX), groupId: id.nullable() }),
    data: z.object({ moved: z.number().int() }),
    errors: [900000],
    statuses: [409],
  }),
  resetSecret: call({
    method: 'POST',
    service: 'biz',
    path: '/device/{id}/secret',
    permission: 'device.list',
    besides: ['own:device.pair', 'person.list'],
    condition: 'unmasked',
    freshPassword: 'ofUsers',
    summary:
      'Makes a new pairing secret, which waits for the terminal; the old one ends at once and a connected device is cut off. ' +
      'Without a release its persons go.',
    params: idParams,
    body: z.object(release),
    data: pairingSecret,
    errors: [100510, 900000],
    statuses: [409],
    origin: 'own',
  }),
  release: call({
    method: 'POST',
    service: 'biz',
    path: '/device/{id}/release',
    permission: 'access.rule',
    freshPassword: 'ofUsers',
    summary: 'Lets the persons whom access rules name there go to a device.',
    params: idParams,
    data: created,
    errors: [900000],
    statuses: [409],
    origin: 'own',
  }),
  releaseEffect: call({
    method: 'GET',
    service: 'biz',
    path: '/device/{id}/release',
    permission: 'access.rule',
    summary: 'How many persons a device holds once it is released.',
    params: idParams,
    data: z.object({ persons: z.number().int() }),
    origin: 'own',
  }),
  revoke: call({
    method: 'POST',
    service: 'biz',
    path: '/device/{id}/revoke',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Takes back the authorisation of a device: it is cut off at once and its secret ends.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
  signIn: call({
    method: 'GET',
    service: 'biz',
    path: '/device/signIn',
    permission: 'device.list',
    summary: 'Whether devices of the current park may still send their secret, and which of them did when they last paired.',
    data: deviceSignIn.extend({ devices: z.array(z.object({ id, name: z.string(), code: z.string() })), version: z.number().int() }),
    origin: 'own',
  }),
  saveSignIn: call({
    method: 'PUT',
    service: 'biz',
    path: '/device/signIn',
    permission: 'device.list',
    besides: ['own:device.pair'],
    summary: 'Says whether devices of the current park may still send their secret; those that do are cut off when it ends.',
    /** `version` as last read; a different stored one is a conflict. */
    body: deviceSignIn.extend({ version: z.number().int().optional() }),
    origin: 'own',
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/device',
    permission: 'device.list',
    besides: ['own:device.edit'],
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
    dataScreen: true,
    summary: 'Counts for the home page.',
    data: z.object({
      total: z.number().int(),
      online: z.number().int(),
      /** Number of devices without authorisation, or with a pending pairing. */
      neverPaired: z.number().int(),
      /** Devices that are not sent persons yet. */
      notReleased: z.array(z.object({ id, name: z.string() })),
      offline: z.array(z.object({ id, name: z.string(), lastSeenAt: instant.nullable() })),
      notSynced: z.array(z.object({ id, name: z.string(), missing: z.number().int() })),
      nearlyFull: z.array(z.object({ id, name: z.string(), personsDesired: z.number().int(), capacity: z.number().int() })),
      /** Devices that recently found that their stored data were changed by others. */
      tampered: z.array(z.object({ id, name: z.string(), at: instant })),
    }),
    origin: 'own',
  }),
  groupTree,
  deviceTree: call({
    method: 'POST',
    service: 'as',
    path: '/areaCodes/deviceTree',
    effect: 'read',
    permission: 'self',
    summary: 'Devices of the current park below their groups, to choose from; groups without any are left out.',
    data: z.array(deviceTreeNode),
  }),
  deviceAndGroupTree: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/deviceAndGroupTree',
    effect: 'read',
    permission: 'self',
    summary: 'All device groups of the current park with the devices in them, to choose from.',
    data: z.array(deviceTreeNode),
  }),
  createGroup: call({
    method: 'POST',
    service: 'biz',
    path: '/device/group',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Adds a device group.',
    body: deviceGroupFields,
    data: created,
    errors: [200107],
    origin: 'own',
  }),
  changeGroup: call({
    method: 'PUT',
    service: 'biz',
    path: '/device/group',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Renames a device group, moves it below another or to the top, or says which way people pass at its new devices.',
    record: groupTree,
    body: changeOf(deviceGroupFields).extend({ id }),
    data: created,
    errors: [200107, 900000],
    statuses: [409],
    origin: 'own',
  }),
  deleteGroup: call({
    method: 'DELETE',
    service: 'biz',
    path: '/device/group',
    permission: 'device.list',
    besides: ['own:device.edit'],
    summary: 'Deletes a device group without groups below it and without devices; strategies that name it let go of it.',
    query: idQuery,
    data: created,
    errors: [200102, 900109],
    origin: 'own',
  }),
}
