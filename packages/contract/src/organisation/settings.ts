/** Settings of a park: registration, records, re-entry, the parking system (module M04). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { RECORD_WINDOW_DEFAULT } from '../limits.ts'
import { changeOf, id } from '../schema.ts'
import { rule } from '../validation.ts'
import { choice } from './choice.ts'

const call = callsOf('organisation')

const flag = choice([0, 1])
const version = z.number().int()
/** Version as last read; a different stored one is a conflict. */
const versioned = { version: version.optional() }

/** Requirements for registering people, and whether the park has customers. */
export const updateConfig = z.object({
  /** 1: the staff form requires a photo. */
  staffFaceRegisterFlag: flag,
  /** 1: the customer form requires a photo. */
  customerFaceRegisterFlag: flag,
  /** 1: the park has customers; their list and the person settings are shown. */
  showCustomerManagerFlag: flag,
})
export type UpdateConfig = z.output<typeof updateConfig>

/** Switches of the access module. */
export const accessControl = z.object({
  /** Days that a list of records covers if no time is requested. */
  recordDays: z.number().int().min(1).max(31).default(RECORD_WINDOW_DEFAULT),
  /** 0: access events with an unknown face leave no record and no picture. */
  strangerRecordFlag: flag,
})
export type AccessControl = z.output<typeof accessControl>

/** Seconds of a day. */
export const REENTRY_MAX = 86_400
export const reentryConfig = z.object({
  /**
   * Seconds after an admission in which another one of the same person at the same device creates no record; 0: every access event creates
   * one.
   */
  seconds: z.number().int().min(0).max(REENTRY_MAX),
})
export type ReentryConfig = z.output<typeof reentryConfig>

/** Days of about ten years. */
export const PICTURE_DAYS_MAX = 3_660
export const pictureRetention = z.object({
  /** Days for which a record keeps its picture; 0: as long as the record exists. */
  days: z.number().int().min(0).max(PICTURE_DAYS_MAX),
})
export type PictureRetention = z.output<typeof pictureRetention>

const text = z.string().trim().max(200)
const address = text.refine((value) => value === '' || /^https?:\/\/[^\s/?#]+/.test(value), rule('url'))
const secret = z.string().max(200)
export const carParkConfig = z.object({
  /** Address of the parking system's login, beginning with http or https. */
  url: address,
  /** Page on which a park opens an account with the parking system. */
  createUrl: address,
  channel: text,
  appId: text,
  account: text,
  merchantCode: text,
  /** Secrets are never returned: they are empty in answers. */
  key: secret,
  secret,
  password: secret,
})
export type CarParkConfig = z.output<typeof carParkConfig>
/**
 * A change of the parking system. Absent: unchanged; null or empty: removed. Secrets are returned empty, so an empty secret means
 * unchanged, and only null removes it.
 */
const carParkChange = z.object({
  url: address.nullish(),
  createUrl: address.nullish(),
  channel: text.nullish(),
  appId: text.nullish(),
  account: text.nullish(),
  merchantCode: text.nullish(),
  key: secret.nullish(),
  secret: secret.nullish(),
  password: secret.nullish(),
})
export type CarParkChange = z.output<typeof carParkChange>

export const childrenCap = z.object({ cap: z.number().int().min(1).max(10_000) })
export type ChildrenCap = z.output<typeof childrenCap>

const readCarPark = call({
  method: 'GET',
  service: 'biz',
  path: '/carPark/config',
  permission: 'carpark.parkAdmin',
  summary: 'The parking system of the current park, without its secrets.',
  data: carParkConfig.extend({ version, /** Secrets that are set. */ secretsSet: z.array(z.string()) }),
})

export const parkSettingCalls = {
  updateConfig: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/update/config',
    permission: 'system.base',
    summary: 'How people are registered in the current park.',
    data: updateConfig.extend({ version }),
  }),
  saveUpdateConfig: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/update/config',
    permission: 'system.base',
    summary: 'Sets how people are registered in the current park; what is left out stays as it was.',
    body: changeOf(updateConfig).extend(versioned),
  }),
  accessControl: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/access/control',
    permission: 'system.base',
    summary: 'Switches of the access module in the current park.',
    data: accessControl.extend({ version }),
  }),
  saveAccessControl: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/access/control',
    permission: 'system.base',
    summary: 'Sets the switches of the access module in the current park.',
    body: changeOf(accessControl).extend(versioned),
  }),
  reentry: call({
    method: 'GET',
    service: 'biz',
    path: '/system/secondary/entering/config',
    permission: 'system.base',
    summary: 'How soon a second passage makes a new record.',
    data: reentryConfig.extend({ version }),
  }),
  saveReentry: call({
    method: 'POST',
    service: 'biz',
    path: '/system/secondary/entering/config',
    permission: 'system.base',
    summary: 'Sets how soon a second passage makes a new record.',
    body: reentryConfig.extend(versioned),
  }),
  pictureRetention: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/pictures/retention',
    permission: 'system.base',
    summary: 'How long access records keep their pictures.',
    data: pictureRetention.extend({ version }),
    origin: 'own',
  }),
  savePictureRetention: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/pictures/retention',
    permission: 'system.base',
    summary: 'Sets how long access records keep their pictures. Those past it are deleted within a day, for good; the records stay.',
    body: pictureRetention.extend(versioned),
    origin: 'own',
  }),
  autoRegisterGroup: call({
    method: 'GET',
    service: 'biz',
    path: '/system/CustomerDefaultAutoRegisterGroup/get',
    permission: 'person.list',
    summary: 'The group of customers who register themselves; null while none is chosen, or where it is gone.',
    data: z.object({ groupId: id.nullable(), groupName: z.string() }),
  }),
  setAutoRegisterGroup: call({
    method: 'GET',
    service: 'biz',
    path: '/system/CustomerDefaultAutoRegisterGroup/set',
    permission: 'person.list',
    besides: ['own:person.edit'],
    effect: 'write',
    summary: 'Chooses the group of customers who register themselves; without one, none.',
    query: z.object({ groupId: id.optional() }),
    statuses: [409],
  }),
  carPark: readCarPark,
  saveCarPark: call({
    method: 'POST',
    service: 'biz',
    path: '/carPark/config',
    permission: 'carpark.parkAdmin',
    freshPassword: 'ofUsers',
    summary:
      'Sets the parking system of the current park. What is absent is kept, what is null or empty is removed; of secrets, which ' +
      'are answered empty, null alone removes.',
    record: readCarPark,
    body: carParkChange.extend(versioned),
  }),
  carParkLogin: call({
    method: 'GET',
    service: 'biz',
    path: '/carPark/login/url',
    permission: 'carpark.parkAdmin',
    summary:
      'Where the parking system lets this park in: its address with `appId` and `token`. The token is base64url of nonce (12 ' +
      'bytes), tag (16) and AES-256-GCM cipher text under SHA-256 of the secret, of the JSON `{ appId, key, account, ' +
      'password, merchantCode, channel, time }`.',
    data: z.object({ url: z.string() }),
    errors: [510001],
    origin: 'own',
  }),
  childrenCap: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/children/cap',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'How many organisations may stand directly below one.',
    data: childrenCap.extend({ version }),
    origin: 'own',
  }),
  saveChildrenCap: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/children/cap',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Sets how many organisations may stand directly below one; those that are there stay.',
    body: childrenCap.extend(versioned),
    origin: 'own',
  }),
}
