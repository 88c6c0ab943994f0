/** A second factor beside the password: time-based one-time passwords (RFC 6238), and recovery codes for a lost phone (module M02). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { created, idParams, instant } from '../schema.ts'
import { secret } from '../unkept.ts'

const call = callsOf('identity')

/** Digits of a one-time password. */
export const ONE_TIME_DIGITS = 6
/**
 * Seconds for which a one-time password is valid; the previous and the next one are accepted too, because clocks differ. Each is accepted
 * once.
 */
export const ONE_TIME_SECONDS = 30
/** Minutes within which the secret returned by `begin` can be confirmed. */
export const ENROLMENT_MINUTES = 15
/** Number of recovery codes that are created at a time; each is accepted once. */
export const RECOVERY_CODES = 10

/** A one-time password of six digits, or a recovery code (`xxxxx-xxxxx`); spaces and hyphens do not matter. */
export const oneTimeCode = secret(z.string().trim().min(1).max(32))

/** Accounts of which a second factor is required: none, administrators and operators, all accounts that log in. */
export const demandedOf = z.enum(['nobody', 'administrators', 'everybody'])
export const secondFactorFields = z.object({ demandedOf })
export type DemandedOf = z.output<typeof demandedOf>

/** Return whether a second factor is required of an account with this role sign. */
export const isDemandedOf = (demand: DemandedOf, roleSign: string): boolean =>
  demand === 'everybody' || (demand === 'administrators' && (roleSign === 'admin' || roleSign === 'operator'))

export const secondFactorState = z.object({
  enrolled: z.boolean(),
  /** Time of enrolment; null: not enrolled. */
  since: instant.nullable(),
  recoveryCodesLeft: z.number().int(),
  /** Whether the installation requires a second factor of this account. */
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
      /** One-time password or recovery code of the current factor; not needed if there is none. */
      code: oneTimeCode.optional(),
    }),
    data: z.object({
      /** The secret in Base32, to be typed into the app. */
      secret: z.string(),
      /** The secret as an `otpauth://` address. */
      uri: z.string(),
      /** The address as a QR code: a data address of a PNG. */
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
  /** For a user who lost both the phone and the recovery codes. */
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
