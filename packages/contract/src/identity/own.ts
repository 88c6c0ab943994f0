/** Calls for one's own account: password, data, sessions, codes; and the captcha of the login (module M02). */
import { z } from 'zod'
import { cipherText, email, idCard, realName, telephone } from '../account.ts'
import { callsOf } from '../call.ts'
import { changeOf, created, id, idParams, instant } from '../schema.ts'
import { knownDevice } from './calls.ts'
import { captchaWork } from './captcha.ts'
import { oneTimeCode } from './second-factor.ts'

const call = callsOf('identity')

/** A new password, typed twice. */
export const newPassword = { newPassword: cipherText, confirmPassword: cipherText }

const accountOf = z.string().trim().min(1).max(64)
const code = z.string().trim().min(1).max(16)

/** How long a code is valid, and whether it was delivered. */
const codeSent = z.object({
  validMinutes: z.number().int(),
  /** False: the code stays among the outgoing messages, where an administrator can read it. */
  delivered: z.boolean(),
})

/** Fields of one's own data; one that is absent stays as it is. */
export const personal = changeOf(z.object({ realName, email: email.nullish(), telephone: telephone.nullish(), idCard: idCard.nullish() }))

export const ownSession = z.object({
  id,
  /** Whether it is the session that makes this call. */
  current: z.boolean(),
  ip: z.string(),
  /** `User-Agent` of the login. */
  agent: z.string(),
  parkName: z.string(),
  createdAt: instant,
  /** Time of its last login, keep-alive call or refresh. */
  seenAt: instant,
})
export type OwnSession = z.output<typeof ownSession>

export const captcha = z.object({
  id,
  /** Pictures as data addresses: the background with the gap, and the piece that fits it. */
  background: z.string(),
  piece: z.string(),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  pieceSize: z.number().int(),
  /** Distance from the top at which the piece slides, in pixels. */
  top: z.number().int(),
  /** The proof of work (`captcha.ts`). */
  work: captchaWork,
})
export type Captcha = z.output<typeof captcha>

export const ownCalls = {
  captcha: call({
    method: 'POST',
    service: 'as',
    path: '/users/login/captcha',
    permission: 'public',
    effect: 'read',
    origin: 'own',
    summary:
      'A new slide captcha; its answer, `id:x:counter`, goes along with the token call: where the piece fits, and a number for ' +
      'which scrypt of the number (N = `cost`, r = 8, p = 1, 32 bytes) under `salt` begins with so many zero bits.',
    data: captcha,
    // Drawing a captcha takes tens of milliseconds. A user needs few, and all users of a site may share one address.
    perAddress: { requests: 30, minutes: 1 },
  }),
  changeExpired: call({
    method: 'POST',
    service: 'as',
    path: '/users/password/expire',
    permission: 'public',
    summary: 'Changes a first or expired password, which the login no longer takes.',
    body: z.object({
      account: accountOf,
      oldPassword: cipherText,
      ...newPassword,
      captcha: z.string().max(256).optional(),
      knownDevice: knownDevice.optional(),
      /** One-time password or recovery code, if one is required (login code 906). */
      otp: oneTimeCode.optional(),
    }),
    data: created,
    provesPassword: true,
    errors: [100406, 100419, 100420],
    // All users of a site may receive their first passwords on the same morning and share one address.
    perAddress: { requests: 300, minutes: 15 },
  }),
  sendCode: call({
    method: 'GET',
    service: 'as',
    path: '/users/send/email',
    permission: 'public',
    effect: 'write',
    summary: 'Mails a code to who forgot a password; answers alike whether or not there is such an account.',
    query: z.object({ account: accountOf }),
    data: codeSent,
    errors: [100113],
    perAddress: { requests: 60, minutes: 1 },
  }),
  checkCode: call({
    method: 'POST',
    service: 'as',
    path: '/users/forget/passwd',
    permission: 'public',
    summary: 'Checks the code of a forgotten password; the ticket sets a new one.',
    body: z.object({ account: accountOf, code }),
    data: z.object({ ticket: z.string(), validMinutes: z.number().int() }),
    errors: [100114, 100115],
    perAddress: { requests: 60, minutes: 1 },
  }),
  resetPassword: call({
    method: 'PUT',
    service: 'as',
    path: '/users/reset/password',
    permission: 'public',
    summary: 'Sets a new password with the ticket of a checked code; opens a lock, ends all sessions and the links to data screens.',
    body: z.object({ ticket: z.string().min(1).max(128), ...newPassword }),
    data: created,
    errors: [100115, 100419, 100420],
    perAddress: { requests: 60, minutes: 1 },
  }),
  updatePersonal: call({
    method: 'PUT',
    service: 'as',
    path: '/users/update/personal',
    permission: 'self',
    freshPassword: true,
    summary: 'Saves one’s own data. The e-mail address there was before is told of another address or telephone.',
    body: personal,
    data: created,
    errors: [100112, 900114],
  }),
  changePassword: call({
    method: 'POST',
    service: 'as',
    path: '/users/passwd',
    permission: 'self',
    beforeSecondFactor: true,
    summary: 'Changes one’s own password; all sessions end.',
    body: z.object({ oldPassword: cipherText, ...newPassword }),
    data: created,
    provesPassword: true,
    errors: [100406, 100419, 100420],
  }),
  confirm: call({
    method: 'POST',
    service: 'as',
    path: '/users/confirmation',
    permission: 'self',
    beforeSecondFactor: true,
    origin: 'own',
    summary: 'Takes one’s own password once more: for five minutes this session may make the calls that ask for it.',
    body: z.object({ password: cipherText }),
    data: z.object({ until: instant }),
    provesPassword: true,
    errors: [100401],
  }),
  phoneCode: call({
    method: 'GET',
    service: 'biz',
    path: '/phone/getCode',
    permission: 'self',
    effect: 'write',
    summary: 'Sends a code to a phone.',
    query: z.object({ phone: z.string().trim().min(1).max(64) }),
    data: codeSent,
    errors: [100113, 900114],
  }),
  checkPhoneCode: call({
    method: 'POST',
    service: 'biz',
    path: '/phone/checkCode',
    permission: 'self',
    summary: 'Checks the code that was sent to a phone.',
    body: z.object({ phone: z.string().trim().min(1).max(64), code }),
    data: z.object({ verified: z.boolean() }),
    errors: [100114, 100115, 900114],
  }),
  sessions: call({
    method: 'GET',
    service: 'as',
    path: '/users/sessions',
    permission: 'self',
    beforeSecondFactor: true,
    origin: 'own',
    summary: 'One’s own open sessions, the newest first.',
    data: z.array(ownSession),
  }),
  endSession: call({
    method: 'DELETE',
    service: 'as',
    path: '/users/sessions/{id}',
    permission: 'self',
    freshPassword: 'ofUsers',
    beforeSecondFactor: true,
    origin: 'own',
    summary: 'Ends one of one’s own sessions.',
    params: idParams,
    data: created,
  }),
  endOtherSessions: call({
    method: 'DELETE',
    service: 'as',
    path: '/users/sessions',
    permission: 'self',
    freshPassword: 'ofUsers',
    beforeSecondFactor: true,
    origin: 'own',
    summary: 'Ends all of one’s own sessions but the one that asks.',
    data: z.object({ ended: z.number().int() }),
  }),
}
