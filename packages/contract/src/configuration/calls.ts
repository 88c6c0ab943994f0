/** Settings of terminals: templates, single devices, defaults of a park (module M06). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { deviceModel, deviceType } from '../enums/devices.ts'
import { BATCH_MAX, IMAGE_MAX_MEDIUM } from '../limits.ts'
import { changeOf, created, id, idParams, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { rule } from '../validation.ts'
import { formerly } from '../wire-names.ts'
import {
  DISPLAY_FIELDS,
  SECRET_SETTINGS,
  VALUELESS_SETTINGS,
  consolePassword,
  deviceOwnSettings,
  deviceSettingFields,
  sharedSettingFields,
  sharedSettings,
  terminalSettingValues,
  wifi,
} from './settings.ts'

const call = callsOf('configuration')

export const SETTING_FILE_KINDS = ['voice', 'screenSaver'] as const
export type SettingFileKind = (typeof SETTING_FILE_KINDS)[number]
/** Largest file of each kind, in bytes: two minutes of sound, one picture. */
export const SETTING_FILE_BYTES = { voice: 2 * 1_048_576, screenSaver: IMAGE_MAX_MEDIUM } as const satisfies Record<SettingFileKind, number>

/** Secrets. Absent: unchanged; null: removed. Answers never contain them. */
const secretFields = { consolePassword: consolePassword.nullish(), wifi: wifi.nullish() }
const secretNames = z.array(z.enum(SECRET_SETTINGS))
/** Version as last read; a different stored one is a conflict. */
const version = z.number().int().min(0).optional()
/** Names of fields that have no value here, even if one would be inherited. */
const withoutValue = z.array(z.enum(VALUELESS_SETTINGS)).max(VALUELESS_SETTINGS.length)
/** In a request with all settings in the field `settings`, the settings it leaves out are inherited. */
const wholly = { withoutValue: withoutValue.nullish(), settings: sharedSettings.optional() }
/** Type and model of the devices to which the settings apply. */
const fitting = { deviceType: formerly('type', z.number().int()), model: z.number().int() }
const template = z.object({
  name: z.string().trim().min(1).max(32),
  deviceType: formerly('type', deviceType.schema),
  model: deviceModel.schema,
  ...sharedSettingFields.shape,
  ...wholly,
  ...secretFields,
})

/** Fields that terminals show of a person who passes: set for the whole park, by `POST /ui/face/config` only. */
const shownFields = { displayFields: terminalSettingValues.shape.displayFields }
/** Effective settings of a device, from all sources. */
const effectiveSettings = {
  /** Id of the device. */
  id,
  deviceId: id,
  ...fitting,
  ...deviceSettingFields.shape,
  ...shownFields,
}

/** A device with its effective settings, and those that differ from the park's defaults. */
export const deviceSettingRow = z.object({
  ...effectiveSettings,
  name: z.string(),
  code: z.string(),
  groupName: z.string(),
  /** Fields whose value differs from the park's default; null: none. */
  differing: deviceSettingFields,
  secretsSet: secretNames,
  changedAt: instant.nullable(),
})
export type DeviceSettingRow = z.output<typeof deviceSettingRow>

/** Source of a value: the device itself or the park; null if there is no value. */
const source = z.enum(['own', 'park']).nullable()
export const deviceSettingDetail = z.object({
  /** Id of the device. */
  id,
  deviceId: id,
  name: z.string(),
  code: z.string(),
  ...fitting,
  /** Custom settings of the device. */
  ...deviceSettingFields.shape,
  ...shownFields,
  withoutValue,
  /** The same in the former shape. */
  own: deviceOwnSettings,
  /** Settings of the park; settings in neither have the built-in value. */
  park: sharedSettingFields,
  secrets: z.object({ consolePassword: source, wifi: source }),
  version: z.number().int(),
})
export type DeviceSettingDetail = z.output<typeof deviceSettingDetail>

export const parkSettings = z.object({
  areaCode: z.string(),
  ...sharedSettingFields.shape,
  ...shownFields,
  withoutValue,
  settings: sharedSettings,
  secretsSet: secretNames,
  version: z.number().int(),
})
export type ParkSettings = z.output<typeof parkSettings>

export const settingTemplate = z.object({
  id,
  name: z.string(),
  ...fitting,
  ...sharedSettingFields.shape,
  withoutValue,
  settings: sharedSettings,
  secretsSet: secretNames,
  updatedAt: instant,
  version: z.number().int(),
})
export type SettingTemplate = z.output<typeof settingTemplate>

/**
 * Copy from a template or a device to devices by id, by group (including groups below it) or by type; several of these conditions must all
 * hold.
 */
export const copyOrder = z
  .object({
    from: z.enum(['template', 'device']),
    fromId: id,
    deviceIds: z.array(id).min(1).max(BATCH_MAX).optional(),
    groupId: id.optional(),
    type: deviceType.schema.optional(),
  })
  .refine(({ deviceIds, groupId, type }) => deviceIds !== undefined || groupId !== undefined || type !== undefined, {
    path: ['deviceIds'],
    ...rule('required'),
  })
/** Why a device is left out: another type or model, the source itself, or settings that would contradict each other there. */
export const LEFT_OUT_REASONS = ['otherType', 'otherModel', 'itself', 'contradiction'] as const
export const copyOutcome = z.object({
  /** Number of devices selected. */
  devices: z.number().int(),
  copied: z.number().int(),
  /** Number of devices that already had exactly these settings. */
  same: z.number().int(),
  leftOut: z.array(z.object({ id, name: z.string(), reason: z.enum(LEFT_OUT_REASONS) })),
})
export type CopyOutcome = z.output<typeof copyOutcome>

export const displayConfig = z.object({
  displayFields: z.array(z.enum(DISPLAY_FIELDS)).max(DISPLAY_FIELDS.length),
  version: z.number().int(),
})
export type DisplayConfig = z.output<typeof displayConfig>

/** Secrets of a device, as they are sent to it. */
export const deviceSecrets = z.object({
  /** `secretsRevision` of the manifest to which they belong. */
  revision: z.string(),
  /** Password of access method 8. */
  devicePassword: z.string().nullable(),
  /** Account that may log in at the terminal itself; null: the terminal's own account is valid. */
  console: z.object({ account: z.string(), password: z.string() }).nullable(),
  wifi: z.object({ name: z.string(), password: z.string() }).nullable(),
})
export type DeviceSecrets = z.output<typeof deviceSecrets>

const permission = 'device.setting'
/** Settings are identified by their device: `id` and `deviceId` mean the same. */
const deviceQuery = z
  .object({ id: id.optional(), deviceId: id.optional() })
  .refine((query) => (query.id ?? query.deviceId) !== undefined, { path: ['id'], ...rule('required') })
  .refine(({ id: one, deviceId: other = one }) => one === undefined || one === other, {
    path: ['deviceId'],
    ...rule('twoNames', { keys: 'id, deviceId' }),
  })

const park = call({
  method: 'GET',
  service: 'biz',
  path: '/device/areaCode/config',
  permission,
  summary: 'What the park sets for devices that have no setting of their own.',
  data: parkSettings,
})
const detail = call({
  method: 'GET',
  service: 'biz',
  path: '/device/setting/detail',
  permission,
  summary: 'What a device has of its own, null where it inherits, and what the park sets.',
  query: deviceQuery,
  data: deviceSettingDetail,
})
const readTemplate = call({
  method: 'GET',
  service: 'biz',
  path: '/device/setting/template/{id}',
  permission,
  summary: 'One template.',
  params: idParams,
  data: settingTemplate,
  origin: 'own',
})

export const configurationCalls = {
  display: call({
    method: 'GET',
    service: 'biz',
    path: '/ui/face/config',
    permission,
    summary: 'Which fields the terminals of the park show of somebody who passes.',
    data: displayConfig,
  }),
  changeDisplay: call({
    method: 'POST',
    service: 'biz',
    path: '/ui/face/config',
    permission,
    summary: 'Chooses which fields the terminals of the park show of somebody who passes.',
    body: displayConfig.extend({ version }),
    data: displayConfig,
  }),
  park,
  changePark: call({
    method: 'POST',
    service: 'biz',
    path: '/device/areaCode/config',
    permission,
    summary:
      'Sets what holds for devices that have no setting of their own, new ones included: null is what is built in, ' +
      '`withoutValue` names what has no value.',
    record: park,
    body: changeOf(z.object({ ...sharedSettingFields.shape, ...wholly, ...secretFields })).extend({ version }),
    data: parkSettings,
    errors: [100415, 500009, 500016],
  }),
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/device/setting/list',
    permission,
    summary: 'Devices with what they are set to as a whole, and what of that differs from the park’s defaults.',
    query: pageQuery.extend({
      /** Part of the name or the code. */
      keyword: z.string().trim().max(64).optional(),
      name: z.string().max(64).optional(),
      code: z.string().max(64).optional(),
      type: z.coerce.number().pipe(deviceType.schema).optional(),
      groupId: id.optional(),
      /** 1: only devices with custom settings; 0: only devices without. */
      own: z.coerce.number().int().min(0).max(1).optional(),
    }),
    data: pageData(deviceSettingRow),
  }),
  effective: call({
    method: 'GET',
    service: 'biz',
    path: '/device/setting',
    permission,
    summary: 'What a device is set to as a whole: its own settings, before the park’s, before what is built in.',
    query: deviceQuery,
    data: z.object({ ...effectiveSettings, settings: terminalSettingValues }),
  }),
  detail,
  add: call({
    method: 'POST',
    service: 'biz',
    path: '/device/setting/add',
    permission,
    summary:
      'Sets what a device has of its own: null is what the park sets, `withoutValue` names what has no value, whatever the park sets.',
    record: detail,
    body: changeOf(z.object({ ...deviceSettingFields.shape, ...wholly, settings: deviceOwnSettings.optional(), ...secretFields })).extend({
      deviceId: id,
      version,
    }),
    data: deviceSettingDetail,
    errors: [100415, 500009, 500016],
  }),
  templates: call({
    method: 'GET',
    service: 'biz',
    path: '/device/setting/template/list',
    permission,
    summary: 'Templates of settings.',
    query: pageQuery.extend({ name: z.string().max(64).optional(), type: z.coerce.number().pipe(deviceType.schema).optional() }),
    data: pageData(settingTemplate),
    origin: 'own',
  }),
  template: readTemplate,
  addTemplate: call({
    method: 'POST',
    service: 'biz',
    path: '/device/setting/template',
    permission,
    summary: 'Adds a template for devices of a type and model.',
    body: template,
    data: created,
    errors: [100415, 400204, 500009, 500016, 900004],
    origin: 'own',
  }),
  changeTemplate: call({
    method: 'PUT',
    service: 'biz',
    path: '/device/setting/template',
    permission,
    summary: 'Changes a template; devices it was copied to keep what they have.',
    record: readTemplate,
    body: changeOf(template).extend({ id, version }),
    data: created,
    errors: [100415, 400204, 500009, 500016, 900004],
    origin: 'own',
  }),
  deleteTemplates: call({
    method: 'DELETE',
    service: 'biz',
    path: '/device/setting/template',
    permission,
    summary: 'Deletes templates; devices they were copied to keep what they have.',
    query: z.object({ ids: queryList(id) }),
    data: z.object({ deleted: z.number().int() }),
    origin: 'own',
  }),
  copyPreview: call({
    method: 'POST',
    service: 'biz',
    path: '/device/setting/copy/preview',
    permission,
    effect: 'read',
    summary: 'What copying would come to, without doing it.',
    body: copyOrder,
    data: copyOutcome,
    origin: 'own',
  }),
  copy: call({
    method: 'POST',
    service: 'biz',
    path: '/device/setting/copy',
    permission,
    summary:
      'Copies a template, or the settings of a device, to at most 1,000 devices of its type and model, all or none; a fixed ' +
      'network address stays each device’s own.',
    body: copyOrder,
    data: copyOutcome,
    origin: 'own',
  }),
  upload: call({
    method: 'POST',
    service: 'biz',
    path: '/device/setting/file',
    permission,
    summary:
      'Stores a voice prompt (mp3, 44100 Hz, mono, 128 kbps) or a screen saver (PNG); it is dropped after a day unless a setting names it.',
    consumes: 'multipart',
    bodyLimit: IMAGE_MAX_MEDIUM,
    body: z.object({ kind: z.enum(SETTING_FILE_KINDS) }),
    data: z.object({ id, kind: z.enum(SETTING_FILE_KINDS), size: z.number().int() }),
    origin: 'own',
  }),
  file: call({
    method: 'GET',
    service: 'biz',
    path: '/device/setting/file/{id}',
    permission,
    summary: 'A stored voice prompt or screen saver.',
    params: idParams,
    produces: 'file',
    origin: 'own',
  }),
  secrets: call({
    method: 'GET',
    service: 'device',
    path: '/secrets',
    permission: 'device',
    summary: 'The secrets of the device that asks: fetched when `secretsRevision` of its manifest is another.',
    data: deviceSecrets,
    origin: 'own',
  }),
  deviceFile: call({
    method: 'GET',
    service: 'device',
    path: '/setting/file/{id}',
    permission: 'device',
    summary: 'Voice prompt or screen saver that the settings of the device name.',
    params: idParams,
    produces: 'file',
    origin: 'own',
  }),
}
