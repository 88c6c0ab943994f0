/** A second factor beside the password: time-based one-time passwords (RFC 6238), and recovery codes for a lost phone (module M02). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { created, idParams, instant } from '../schema.ts'
import { secret } from '../unkept.ts'

const call = callsOf('identity')

/** Digits of a one-time password. */
export const ONE_TIME_DIGITS = 6
/** Seconds one holds; the one before and the one after are taken too, as clocks differ. Each is taken once. */
export const ONE_TIME_SECONDS = 30
/** How long what `begin` answered can be confirmed, in minutes. */
export const ENROLMENT_MINUTES = 15
/** How many recovery codes are made at a time; each is taken once. */
export const RECOVERY_CODES = 10

/** A one-time password of six digits, or a recovery code (`xxxxx-xxxxx`); spaces and hyphens do not matter. */
export const oneTimeCode = secret(z.string().trim().min(1).max(32))

/** Of whom a second factor is demanded: of nobody, of administrators and operators, of everybody who logs in. */
export const demandedOf = z.enum(['nobody', 'administrators', 'everybody'])
export const secondFactorFields = z.object({ demandedOf })
export type DemandedOf = z.output<typeof demandedOf>

/** Whether a demand is about whoever has this role sign. */
export const isDemandedOf = (demand: DemandedOf, roleSign: string): boolean =>
  demand === 'everybody' || (demand === 'administrators' && (roleSign === 'admin' || roleSign === 'operator'))

export const secondFactorState = z.object({
  enrolled: z.boolean(),
  /** Since when; null: not enrolled. */
  since: instant.nullable(),
  recoveryCodesLeft: z.number().int(),
  /** Whether the installation demands it of this account. */
  demanded: z.boolean(),
})
export type SecondFactorState = z.output<typeof secondFactorState>

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const secondFactorCalls = {
  read: call({
    method: 'GET',
    service: 'as',
    path: '/users/second/factor',
    permission: 'self',
    beforeSecondFactor: true,
    origin: 'own',
    summary: 'Whether one’s own account has a second factor, and whether it needs one.',
    data: secondFactorState,
  }),
  begin: call({
    method: 'POST',
    service: 'as',
    path: '/users/second/factor/begin',
    permission: 'self',
    beforeSecondFactor: true,
    freshPassword: true,
    origin: 'own',
    summary:
      'A new secret for an app that makes one-time passwords. It counts once a password made from it was confirmed; the former ' +
      'one holds until then.',
    body: z.object({
      /** Of the factor there is; not asked for where there is none. */
      code: oneTimeCode.optional(),
    }),
    data: z.object({
      /** Base32, to type in. */
      secret: z.string(),
      /** The same as `otpauth://` address. */
      uri: z.string(),
      /** That address as QR code, a data address of a PNG. */
      qr: z.string(),
      validMinutes: z.number().int(),
    }),
    errors: [100114, 100115],
  }),
  confirm: call({
    method: 'POST',
    service: 'as',
    path: '/users/second/factor',
    permission: 'self',
    beforeSecondFactor: true,
    freshPassword: true,
    origin: 'own',
    summary:
      'Takes the first one-time password of a new secret: from then on the login asks for one. All other sessions of the account end.',
    body: z.object({ code: oneTimeCode }),
    data: recoveryCodes,
    errors: [100114, 100115],
  }),
  renewRecoveryCodes: call({
    method: 'POST',
    service: 'as',
    path: '/users/second/factor/recovery',
    permission: 'self',
    freshPassword: true,
    origin: 'own',
    summary: 'Makes new recovery codes; the former ones are void.',
    body: z.object({ code: oneTimeCode }),
    data: recoveryCodes,
    errors: [100114, 100115],
  }),
  remove: call({
    method: 'POST',
    service: 'as',
    path: '/users/second/factor/remove',
    permission: 'self',
    freshPassword: true,
    origin: 'own',
    summary: 'Removes one’s own second factor, unless the installation demands it.',
    body: z.object({ code: oneTimeCode }),
    data: created,
    errors: [100114, 100115, 100510],
  }),
  /** For who lost both phone and recovery codes. */
  reset: call({
    method: 'DELETE',
    service: 'as',
    path: '/users/{id}/second/factor',
    permission: 'system.user',
    freshPassword: true,
    origin: 'own',
    summary:
      'Removes the second factor of an account one may change and outranks; not one’s own. Its sessions end and its e-mail ' +
      'address is told.',
    params: idParams,
    data: created,
    errors: [100510],
  }),
  config: call({
    method: 'GET',
    service: 'as',
    path: '/system/second/factor/config',
    permission: 'installation',
    besides: ['system.base'],
    origin: 'own',
    summary: 'Of whom a second factor is demanded.',
    data: secondFactorFields.extend({ version: z.number().int() }),
  }),
  saveConfig: call({
    method: 'POST',
    service: 'as',
    path: '/system/second/factor/config',
    permission: 'installation',
    besides: ['system.base'],
    freshPassword: true,
    origin: 'own',
    summary:
      'Changes of whom a second factor is demanded. Who has none may do nothing but set one up, from the next call on. Only who ' +
      'has one may demand it.',
    body: secondFactorFields.extend({ version: z.number().int().optional() }),
    errors: [100510],
  }),
}
