/** Login, session and own profile (module M02). Calls for one's own account are in `own.ts`. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { id, instant } from '../schema.ts'
import { oneTimeCode } from './second-factor.ts'

const call = callsOf('identity')

/** Answer of the token call: RFC 6749 fields beside `code`. */
export const tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  refresh_token: z.string(),
  refresh_expires_in: z.number().int(),
  /**
   * After a login by password: a token that this browser sends at its next login, so that failed logins from elsewhere do not lock it out.
   */
  known_device: z.string().optional(),
})
export type Tokens = z.output<typeof tokens>

/** `known_device` that the token call returned to this browser after an earlier login. */
export const knownDevice = z.string().max(64)

export const tokenRequest = z.object({
  grant_type: z.enum(['password', 'refresh_token', 'client_credentials']),
  username: z.string().max(64).optional(),
  /** base64 of the RSA-OAEP(SHA-256) cipher text under the login key; the server decrypts each cipher text once (`password-text.ts`). */
  password: z.string().max(2048).optional(),
  refresh_token: z.string().max(256).optional(),
  /** Park of the new session. Absent: the park last used. For an API user: the park its calls are about. */
  areaCode: z.string().max(64).optional(),
  /** Answer to the slide captcha (`captcha.ts`), if one is required. */
  captcha: z.string().max(256).optional(),
  known_device: knownDevice.optional(),
  /** One-time password or recovery code, if one is required (login code 906). */
  otp: oneTimeCode.optional(),
})

/** A GET call takes no password: addresses are stored in histories and logs. */
export const tokenQuery = tokenRequest
  .pick({ refresh_token: true, areaCode: true })
  .extend({ grant_type: z.enum(['refresh_token', 'client_credentials']) })

export const profile = z.object({
  id,
  username: z.string(),
  realName: masked('name', z.string()),
  email: masked('email', z.string()),
  idCard: masked('idNumber', z.string()),
  telephone: masked('phone', z.string()),
  roleName: z.string(),
  roleSign: z.string(),
  parkAreaName: z.string(),
  areaCode: z.string(),
  roles: z.array(z.object({ id, name: z.string(), roleSign: z.string() })),
  enablePageDataMasking: z.boolean(),
  deviceUpgradeType: z.number().int(),
  /** Time from which the login requires a new password; null: never. */
  passwordExpiresAt: instant.nullable(),
  /** Time from which the account is expired; null: never. */
  accountExpiresAt: instant.nullable(),
  /**
   * The installation requires a second factor of this account, which has none: until one is set up, the session can make only the calls
   * marked `beforeSecondFactor`.
   */
  secondFactorMissing: z.boolean(),
  /** What this session may do: the only field by which flags and permissions reach the console. */
  capabilities: z.object({
    permissions: z.array(z.string()),
    lite: z.boolean(),
    privatised: z.boolean(),
    /** Whether the user belongs to the topmost organisation. */
    atRoot: z.boolean(),
    /** The current park's customer-manager flag. */
    customerManager: z.boolean(),
    /** Function modules that are on in the current park. */
    modules: z.array(z.string()),
  }),
})
export type Profile = z.output<typeof profile>

export const loginConfig = z.object({
  /** Public key to encrypt passwords with: PEM, SPKI. It changes every day; the previous one is valid for another day. */
  publicKey: z.string(),
  /** Put before the password in the cipher text (`password-text.ts`), which is then valid for ten minutes. */
  nonce: z.string(),
  /** Whether a slide captcha is required after several failed logins. */
  captcha: z.boolean(),
  /** Whether e-mails are delivered; if not, an administrator finds them among the outgoing messages. */
  mailDelivers: z.boolean(),
})

export const identityCalls = {
  token: call({
    method: 'POST',
    service: 'as',
    path: '/auth/token',
    permission: 'basic',
    summary:
      'Obtains or refreshes tokens (RFC 6749). Logins of people come with the client `console` and an empty secret; the ' +
      'password travels as its cipher text (`login/config`). An account with a second factor is answered 906 once its ' +
      'password is right: the same again then, with `otp`, a new cipher text, and a new captcha where `data.captcha` says ' +
      'so. A refresh token whose answer was lost may be sent again until the new tokens are used.',
    consumes: 'form',
    produces: 'flat',
    body: tokenRequest,
    data: tokens,
    errors: [100401, 100412, 100413],
  }),
  tokenByGet: call({
    method: 'GET',
    service: 'as',
    path: '/auth/token',
    permission: 'basic',
    effect: 'write',
    summary: 'Refreshes tokens, or obtains those of an API user; never by a password.',
    produces: 'flat',
    query: tokenQuery,
    data: tokens,
    errors: [100401, 100412, 100413],
  }),
  loginConfig: call({
    method: 'GET',
    service: 'as',
    path: '/users/login/config',
    permission: 'public',
    summary:
      'The public key under which passwords travel, a nonce to encrypt with them, and what a login may ask for. A password ' +
      'travels as base64 of its cipher text: RSA-OAEP with SHA-256, and MGF1 with SHA-256, of the nonce, a line break and the ' +
      'password. Each cipher text is opened once.',
    data: loginConfig,
  }),
  keep: call({
    method: 'POST',
    service: 'as',
    path: '/token/keep',
    effect: 'read',
    permission: 'self',
    beforeSecondFactor: true,
    summary: 'Keeps the session alive; called every ten minutes.',
    data: z.object({ expiresIn: z.number().int() }),
    quiet: true,
  }),
  expire: call({
    method: 'POST',
    service: 'as',
    path: '/token/expire',
    effect: 'read',
    permission: 'self',
    beforeSecondFactor: true,
    summary: 'Renews the session of a data screen: it ends that many seconds from now.',
    data: z.object({ seconds: z.number().int() }),
    quiet: true,
  }),
  revoke: call({
    method: 'GET',
    service: 'as',
    path: '/token/revoke',
    permission: 'self',
    beforeSecondFactor: true,
    effect: 'write',
    summary: 'Ends the session.',
    quiet: true,
  }),
  profile: call({
    method: 'GET',
    service: 'as',
    path: '/users/profile',
    permission: 'self',
    beforeSecondFactor: true,
    dataScreen: true,
    summary: 'Own profile and capabilities.',
    data: profile,
  }),
}
