/** Login, session and own profile (module M02). */
import { z } from 'zod'
import { call } from '../call.ts'
import { id } from '../schema.ts'

/** Answer of the token call, RFC 6749 fields beside `code`. */
export const tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  refresh_token: z.string(),
  refresh_expires_in: z.number().int(),
})
export type Tokens = z.output<typeof tokens>

export const tokenRequest = z.object({
  grant_type: z.enum(['password', 'refresh_token', 'client_credentials']),
  username: z.string().max(64).optional(),
  /** base64 of the RSA-OAEP(SHA-256) cipher text under the login key. */
  password: z.string().max(2048).optional(),
  refresh_token: z.string().max(256).optional(),
  areaCode: z.string().max(64).optional(),
  /** Answer of the slide captcha, once it is asked for. */
  captcha: z.string().max(256).optional(),
})

export const profile = z.object({
  id,
  username: z.string(),
  realName: z.string(),
  email: z.string(),
  idCard: z.string(),
  telephone: z.string(),
  roleName: z.string(),
  roleSign: z.string(),
  parkAreaName: z.string(),
  areaCode: z.string(),
  roles: z.array(z.object({ id, name: z.string(), roleSign: z.string() })),
  enablePageDataMasking: z.boolean(),
  deviceUpgradeType: z.number().int(),
  /** What this session may do, the one place flags and permissions reach the console. */
  capabilities: z.object({ permissions: z.array(z.string()), lite: z.boolean(), privatised: z.boolean(), modules: z.array(z.string()) }),
})
export type Profile = z.output<typeof profile>

export const identityCalls = {
  token: call({
    method: 'POST',
    service: 'as',
    path: '/auth/token',
    permission: 'basic',
    summary: 'Obtains or refreshes tokens (RFC 6749).',
    consumes: 'form',
    produces: 'flat',
    body: tokenRequest,
    data: tokens,
    errors: [100401, 100412],
  }),
  loginConfig: call({
    method: 'GET',
    service: 'as',
    path: '/users/login/config',
    permission: 'public',
    summary: 'The public key under which passwords travel (PEM, SPKI).',
    data: z.object({ publicKey: z.string() }),
  }),
  keep: call({
    method: 'POST',
    service: 'as',
    path: '/token/keep',
    permission: 'self',
    summary: 'Keeps the session alive; called every ten minutes.',
    data: z.object({ expiresIn: z.number().int() }),
    quiet: true,
  }),
  revoke: call({ method: 'GET', service: 'as', path: '/token/revoke', permission: 'self', summary: 'Ends the session.', quiet: true }),
  profile: call({ method: 'GET', service: 'as', path: '/users/profile', permission: 'self', summary: 'Own profile and capabilities.', data: profile }),
}
