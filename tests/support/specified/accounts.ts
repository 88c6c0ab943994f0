/** Accounts as an integrator creates and uses them: by the calls of the specification alone. */
import { constants, publicEncrypt } from 'node:crypto'
import type { Ground, Integrator, Json } from './specified.ts'

export const PASSWORD = 'Turnstile-7'

/** Encrypt passwords as they are sent: each with the public key of `login/config`. */
export async function encrypted<Name extends string>(
  { by }: Pick<Ground, 'by'>,
  passwords: Record<Name, string>,
): Promise<Record<Name, string>> {
  const { publicKey } = await by(null).done<{ publicKey: string }>('as', 'GET', '/users/login/config')
  const key = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  const entries = Object.entries<string>(passwords).map(([name, password]) => [
    name,
    publicEncrypt(key, Buffer.from(password)).toString('base64'),
  ])
  return Object.fromEntries(entries) as Record<Name, string>
}

export interface TokenAnswer {
  status: number
  /** Absent with success. */
  code?: number
  access_token: string
  refresh_token: string
  expires_in: number
}

/** Request tokens with a form and Basic authorization, as point 7.1 has it. */
export async function askToken(
  { world }: Pick<Ground, 'world'>,
  form: Record<string, string>,
  client: readonly [id: string, secret: string] = ['console', ''],
): Promise<TokenAnswer> {
  const response = await fetch(`${world.url}/asService/uface/v1/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(client.join(':')).toString('base64')}` },
    body: new URLSearchParams(form),
  })
  return { ...((await response.json()) as TokenAnswer), status: response.status }
}

/** Return the answer to a login with a password. */
export async function login(ground: Ground, account: string, password: string): Promise<TokenAnswer> {
  return askToken(ground, { grant_type: 'password', username: account, ...(await encrypted(ground, { password })) })
}

let number = 0
export const newName = (): string => `spec${++number}`

/** Create a user with an initial password, in a role that may see people unless another is given. */
export async function newUser(
  { done, park }: Ground,
  options: Json = {},
  role: Json = {},
): Promise<{ id: string; account: string; initialPassword: string; roleId: string }> {
  const account = newName()
  const { id: roleId } = await done<{ id: string }>('as', 'POST', '/roles', {
    name: `Role of ${account}`,
    permissions: { person: ['person.list'] },
    ...role,
  })
  const { id, initialPassword } = await done<{ id: string; initialPassword: string }>('as', 'POST', '/users', {
    account,
    realName: 'Ada Lovelace',
    roles: [roleId],
    organisationId: park.park.id,
    ...options,
  })
  return { id, account, initialPassword, roleId }
}

/** Replace a first or expired password. */
export async function chooseFirst(ground: Ground, account: string, oldPassword: string, newPassword = PASSWORD): Promise<void> {
  const passwords = await encrypted(ground, { oldPassword, newPassword, confirmPassword: newPassword })
  await ground.by(null).done('as', 'POST', '/users/password/expire', { account, ...passwords })
}

export interface LoggedIn extends Integrator {
  id: string
  account: string
  roleId: string
  accessToken: string
  refreshToken: string
}

/** Create a user who has chosen a password and is logged in. */
export async function loggedIn(ground: Ground, options: Json = {}, role: Json = {}): Promise<LoggedIn> {
  const { id, account, initialPassword, roleId } = await newUser(ground, options, role)
  await chooseFirst(ground, account, initialPassword)
  const { access_token: accessToken, refresh_token: refreshToken } = await login(ground, account, PASSWORD)
  return { ...ground.by(accessToken), id, account, roleId, accessToken, refreshToken }
}
