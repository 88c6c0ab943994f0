/** Accounts for tests, created the way an administrator creates them, with a known password. */
import { PERMISSION_CODES, type InputOf } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { createClient, sealPassword, type Answer, type Client } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'

export const FIRST_PASSWORD = 'First-pass-1'
export const PASSWORD = 'Second-pass-2'

export interface MadeUser {
  id: string
  account: string
  password: string
}

/** Files that share a world make accounts of different names. */
const ofThisFile = crypto.randomUUID().slice(0, 6)
let accounts = 0
export const accountName = (): string => `user${ofThisFile}${++accounts}`

/** Encrypt every password of a form with the server's public key. */
export async function sealed<Name extends string>(
  client: Pick<Client, 'call'>,
  passwords: Record<Name, string>,
): Promise<Record<Name, string>> {
  const entries = await Promise.all(
    Object.entries<string>(passwords).map(async ([name, password]) => [name, await sealPassword(client, password)] as const),
  )
  return Object.fromEntries(entries) as Record<Name, string>
}

const roles = new WeakMap<World, Map<string, Promise<string>>>()
/** Return the id of a role with every permission at a node; created once per node. */
function roleAt(world: World, organisationId: string): Promise<string> {
  const known = roles.get(world) ?? new Map<string, Promise<string>>()
  roles.set(world, known)
  const made =
    known.get(organisationId) ??
    world
      .call(roleCalls.create, { body: { name: `All of ${organisationId}`, permissions: [...PERMISSION_CODES], organisationId } })
      .then(({ id }) => id)
  known.set(organisationId, made)
  return made
}

/** Create a user who still has the initial password. */
export async function newUser(world: World, options: Partial<InputOf<typeof userCalls.create.body>> = {}): Promise<MadeUser> {
  const [account, organisationId] = [options.account ?? accountName(), options.organisationId ?? world.park.id]
  const { password } = await sealed(world, { password: FIRST_PASSWORD })
  const { id } = await world.call(userCalls.create, {
    body: { realName: 'Somebody', roles: [await roleAt(world, organisationId)], ...options, organisationId, account, password },
  })
  return { id, account, password: FIRST_PASSWORD }
}

/** Replaces a first or expired password, as the login page does. */
export async function changeExpired(
  world: World,
  account: string,
  oldPassword: string,
  newPassword: string,
  confirmPassword = newPassword,
): Promise<Answer> {
  const nobody = createClient(world.url)
  return nobody.ask(ownCalls.changeExpired, { body: { account, ...(await sealed(nobody, { oldPassword, newPassword, confirmPassword })) } })
}

/** Create a user who has chosen a password. */
export async function settledUser(world: World, options: Partial<InputOf<typeof userCalls.create.body>> = {}): Promise<MadeUser> {
  const user = await newUser(world, options)
  const { code } = await changeExpired(world, user.account, user.password, PASSWORD)
  if (code !== 0) throw new Error(`the first password was not changed: ${code}`)
  return { ...user, password: PASSWORD }
}

/** Return the answer of the token call. */
export async function tryLogin(
  world: { url: string },
  account: string,
  password: string,
  captcha?: string,
): Promise<
  Answer<{ failures: number; limit: number; captcha: boolean; lockedUntil: number; access_token: string; refresh_token: string }>
> {
  const client = createClient(world.url, { basic: ['console', ''] })
  const body = {
    grant_type: 'password' as const,
    username: account,
    ...(await sealed(client, { password })),
    ...(captcha !== undefined && { captcha }),
  }
  return (await client.ask(identityCalls.token, { body })) as never
}

/** Log in with a wrong password this many times. Return the error codes, in order. */
export async function failTimes(world: { url: string }, account: string, times: number): Promise<number[]> {
  const codes: number[] = []
  for (let at = 0; at < times; at++) codes.push((await tryLogin(world, account, `Wrong-pass-${at}`)).code)
  return codes
}

/** Return the newest code that was sent to a recipient, as the administrator reads it. */
export async function codeSentTo(world: World, to: string): Promise<string | undefined> {
  const { content } = await world.call(messageCalls.messages, { query: { size: 20 } })
  const newest = content.find((message) => message.to === to)
  if (newest === undefined) return undefined
  const { text } = await world.call(messageCalls.message, { params: { id: newest.id } })
  return /\b\d{6}\b/.exec(text ?? '')?.[0]
}
