/** Accounts of the console (module M02). */
import { z } from 'zod'
import { accountName, administratorName, cipherText, email, idCard, realName, telephone } from '../account.ts'
import { callsOf } from '../call.ts'
import { masked, searches } from '../masking.ts'
import { abilities, changeOf, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { changesByItself, formerly } from '../wire-names.ts'

const call = callsOf('identity')

export const passwordValidityValue = z.enum(['3m', '6m', '1y', 'forever'])

/** Fields of an account except its name, which cannot be changed. */
export const userFields = z.object({
  realName,
  administratorName: administratorName.nullish(),
  email: email.nullish(),
  phone: formerly('telephone', telephone.nullish()),
  idCard: idCard.nullish(),
  /** Organisation the user belongs to: the user sees the parks at or below it. */
  organisationId: id,
  /** Ids of roles. */
  roles: formerly('roleIds', z.array(id).min(1).max(20)),
  /** Time from which the account is expired; null: never. */
  expiry: formerly('expiresAt', instant.nullish()),
  passwordValidity: passwordValidityValue.default('forever'),
  /** Whether this user sees names, phones, ID numbers and e-mail addresses masked. */
  enablePageDataMasking: z.boolean().default(false),
})
export const userCreate = userFields.extend({
  account: accountName,
  /** Absent: the server creates one and returns it, or mails it if `sendByEmail` is set. */
  password: cipherText.optional(),
  sendByEmail: z.boolean().default(false),
})
export const userChange = changeOf(userFields).extend({ id, version: z.number().int().optional() })

const state = z.enum(['enabled', 'disabled', 'passwordExpired', 'locked', 'expired'])

export const user = z.object({
  id,
  account: z.string(),
  realName: masked('name', z.string()),
  administratorName: masked('name', z.string()),
  email: masked('email', z.string()),
  phone: formerly('telephone', masked('phone', z.string())),
  idCard: masked('idNumber', z.string()),
  organisationId: id,
  organisationName: z.string(),
  /** Ids of roles. */
  roles: formerly('roleIds', z.array(id)),
  /** Names and signs of the same roles. */
  roleDetails: z.array(z.object({ id, name: z.string(), roleSign: z.string() })),
  /** 1 enabled, 0 disabled. */
  status: z.number().int(),
  /** State of the account (`accountState`) at the next login. */
  state: changesByItself(state),
  lockedUntil: changesByItself(instant.nullable()),
  expiry: formerly('expiresAt', instant.nullable()),
  passwordValidity: passwordValidityValue,
  passwordChangedAt: instant,
  enablePageDataMasking: z.boolean(),
  /** Whether the login also requires a one-time password. */
  secondFactor: z.boolean(),
  lastLogin: formerly('lastLoginAt', changesByItself(instant.nullable())),
  version: z.number().int(),
  createdAt: instant,
  /** False for an account with more permissions than the caller, and for the caller's own account except for `change`. */
  can: abilities('change', 'enable', 'disable', 'delete', 'resetPassword', 'resetSecondFactor'),
})
export type User = z.output<typeof user>

/** A password that must be passed on to its user: returned once, or mailed. */
export const handedPassword = z.object({
  id,
  /** Absent if the password was mailed or was part of the request. */
  initialPassword: z.string().optional(),
  /** Address it was mailed to, masked. */
  sentTo: z.string().optional(),
})

/** Days after which an unused account is disabled; 0: never. */
export const sleepingFields = z.object({ days: z.number().int().min(0).max(3650) })

const readUser = call({
  method: 'GET',
  service: 'as',
  path: '/users/{id}',
  permission: 'system.user',
  summary: 'One account.',
  params: idParams,
  data: user,
})

export const userCalls = {
  list: call({
    method: 'GET',
    service: 'as',
    path: '/users',
    permission: 'system.user',
    summary: 'Accounts of the caller’s part of the tree.',
    query: pageQuery.extend({
      account: z.string().max(64).optional(),
      realName: searches('name', z.string().max(64)).optional(),
      roleId: id.optional(),
      organisationId: id.optional(),
      state: state.optional(),
    }),
    data: pageData(user),
    errors: [100413],
  }),
  read: readUser,
  create: call({
    method: 'POST',
    service: 'as',
    path: '/users',
    permission: 'system.user',
    freshPassword: 'ofUsers',
    summary: 'Creates an account; its first password must be changed at the first login.',
    body: userCreate,
    data: handedPassword,
    errors: [100112, 100402, 100413, 100420, 100510, 900114],
  }),
  change: call({
    method: 'PUT',
    service: 'as',
    path: '/users',
    permission: 'system.user',
    freshPassword: 'ofUsers',
    summary: 'Changes an account; a disabled one is refused, and so is taking the last role away.',
    record: readUser,
    body: userChange,
    data: created,
    errors: [100112, 100413, 100510, 900114],
  }),
  delete: call({
    method: 'DELETE',
    service: 'as',
    path: '/users/{id}',
    permission: 'system.user',
    freshPassword: 'ofUsers',
    summary: 'Deletes an account; not one’s own, not a disabled one.',
    params: idParams,
    data: created,
    errors: [100510],
  }),
  enable: call({
    method: 'PUT',
    service: 'as',
    path: '/users/{id}/enable',
    permission: 'system.user',
    freshPassword: 'ofUsers',
    summary: 'Enables an account.',
    params: idParams,
    data: created,
    errors: [100510],
  }),
  disable: call({
    method: 'PUT',
    service: 'as',
    path: '/users/{id}/disable',
    permission: 'system.user',
    freshPassword: 'ofUsers',
    summary: 'Disables an account at once; not one’s own.',
    params: idParams,
    data: created,
    errors: [100510],
  }),
  resetPassword: call({
    method: 'POST',
    service: 'as',
    path: '/users/{id}/passwd',
    permission: 'system.user',
    freshPassword: 'ofUsers',
    summary: 'Gives an account a new first password; ends its sessions, the links it made to data screens, and its lock.',
    params: idParams,
    body: z.object({ sendByEmail: z.boolean().default(false) }),
    data: handedPassword,
    errors: [100510, 1200001],
  }),
  checkUsername: call({
    method: 'GET',
    service: 'as',
    path: '/users/check/username',
    permission: 'system.user',
    summary: 'Whether an account name is free.',
    query: z.object({ username: z.string().min(1).max(64) }),
    data: z.object({ available: z.boolean() }),
  }),
  checkEmail: call({
    method: 'GET',
    service: 'as',
    path: '/users/check/email',
    permission: 'self',
    summary: 'Whether an e-mail address is free; always in a private deployment.',
    query: z.object({ email: searches('email', z.string().min(1).max(64)), userId: id.optional() }),
    data: z.object({ available: z.boolean() }),
  }),
  sleepingConfig: call({
    method: 'GET',
    service: 'as',
    path: '/system/sleeping/config',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'After how many days an unused account is disabled.',
    data: sleepingFields.extend({ version: z.number().int() }),
    origin: 'own',
  }),
  saveSleepingConfig: call({
    method: 'POST',
    service: 'as',
    path: '/system/sleeping/config',
    permission: 'installation',
    besides: ['system.base'],
    freshPassword: true,
    summary: 'Changes after how many days an unused account is disabled; the last administrator at the root never is.',
    body: sleepingFields.extend({ version: z.number().int().optional() }),
    origin: 'own',
  }),
}
