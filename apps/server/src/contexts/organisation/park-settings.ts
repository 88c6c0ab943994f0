/** What a park sets for itself, and what the installation sets for all. */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { RECORD_WINDOW_DEFAULT, SUB_ORGANISATION_CAP, type FieldIssue } from '@gatehouse/contract'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'
import {
  accessControl,
  carParkConfig,
  childrenCap,
  pictureRetention,
  reentryConfig,
  type AccessControl,
  type CarParkChange,
  type CarParkConfig,
  type ChildrenCap,
  type PictureRetention,
  type ReentryConfig,
} from '@gatehouse/contract/organisation/settings'
import { defineSetting } from './settings.ts'

export const accessControlSetting = defineSetting<AccessControl>('organisation.accessControl', accessControl as z.ZodType<AccessControl>, {
  recordDays: RECORD_WINDOW_DEFAULT,
  strangerRecordFlag: 1,
})
export const reentrySetting = defineSetting<ReentryConfig>('organisation.reentry', reentryConfig, { seconds: 0 })
export const pictureRetentionSetting = defineSetting<PictureRetention>('organisation.recordPictures', pictureRetention, { days: 0 })
export const customerGroupSetting = defineSetting<{ groupId: string | null }>(
  'organisation.customerGroup',
  z.object({ groupId: z.string().nullable() }),
  { groupId: null },
)
const CAR_PARK_SECRETS = ['key', 'secret', 'password'] as const
export const carParkSetting = defineSetting<CarParkConfig>(
  'organisation.carPark',
  carParkConfig,
  { url: '', createUrl: '', channel: '', appId: '', account: '', merchantCode: '', key: '', secret: '', password: '' },
  CAR_PARK_SECRETS,
)
/** Of the installation. */
export const childrenCapSetting = defineSetting<ChildrenCap>('organisation.childrenCap', childrenCap, { cap: SUB_ORGANISATION_CAP })

/**
 * Return the settings after a change. @param before secrets in clear @returns secrets that stay are empty, those that are removed are named
 */
export function changedCarPark(
  before: CarParkConfig,
  change: CarParkChange,
): { after: CarParkConfig; removed: (typeof CAR_PARK_SECRETS)[number][] } {
  const given = Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [[field, value ?? '']]))
  return {
    after: { ...before, key: '', secret: '', password: '', ...Object.fromEntries(given) },
    removed: CAR_PARK_SECRETS.filter((field) => change[field] === null),
  }
}

/**
 * Return an issue for each secret that has to be typed again, where the address or the secret changes. The login address carries key and
 * password, encrypted with that secret, to that address: a user who may choose either could otherwise read what they may not see.
 */
export function carParkIssues(before: CarParkConfig, { after, removed }: ReturnType<typeof changedCarPark>): FieldIssue[] {
  const isElsewhere = after.url !== before.url || (after.secret !== '' && after.secret !== before.secret)
  if (!isElsewhere) return []
  return (['key', 'password', 'secret'] as const).flatMap((path) =>
    before[path] !== '' && after[path] === '' && !removed.includes(path) ? [{ path, rule: 'typedAnew' }] : [],
  )
}

/** Return the fields that the login of the parking system requires and that are empty. */
export const carParkMissing = (config: CarParkConfig) => (['url', 'appId', 'secret'] as const).filter((field) => config[field] === '')

/** Return which ways into the parking system are set up: the page that opens an account, and the login. */
export const carParkLinks = (config: CarParkConfig): ParkInfo['parking'] => ({
  account: config.createUrl !== '',
  login: carParkMissing(config).length === 0,
})

/** Return the address of the login to the parking system; null while its address, its app id or its secret is not set. */
export function carParkLoginUrl(config: CarParkConfig, time: number): string | null {
  if (!carParkLinks(config).login) return null
  const { url, createUrl: _page, appId, secret, ...rest } = config
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(secret).digest(), nonce)
  const body = Buffer.concat([cipher.update(JSON.stringify({ appId, ...rest, time })), cipher.final()])
  const address = new URL(url)
  address.searchParams.set('appId', appId)
  address.searchParams.set('token', Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url'))
  return address.href
}
