/** Calls that come from an address of the test's choice: worlds trust the header of a proxy on this machine. */
import { addressOf, type Call } from '@gatehouse/contract'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { createClient, type Answer, type CallInput } from '@gatehouse/dev-env/client'
import { sealed } from './accounts.ts'

let hosts = 0
/** Return an address that was not used yet (RFC 2544). */
export function newAddress(): string {
  hosts++
  return `198.18.${hosts >> 8}.${hosts & 255}`
}

/** Return the answer to a call that comes from an address. */
export async function askFrom<C extends Call>(
  { url }: { url: string },
  ip: string,
  call: C,
  input: CallInput<C>,
  headers: Record<string, string> = {},
): Promise<Answer<never>> {
  const { query, body } = input as Partial<Record<'query' | 'body', Record<string, string>>>
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const isForm = call.consumes === 'form'
  const response = await fetch(url + addressOf(call) + search, {
    method: call.method,
    headers: { 'x-forwarded-for': ip, ...(!isForm && body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: isForm ? new URLSearchParams(body) : JSON.stringify(body) }),
  })
  const { code = response.status, message = '', data, ...flat } = (await response.json()) as Partial<Answer<never>>
  return { status: response.status, headers: response.headers, code, message, data: (data ?? flat) as never }
}

export interface LoginFrom {
  account: string
  password: string
  ip: string
  captcha?: string | undefined
  knownDevice?: string | undefined
  otp?: string | undefined
}

/** Return the answer of the token call to a login from an address. */
export async function tryLoginFrom(
  world: { url: string },
  { account, password, ip, captcha, knownDevice, otp }: LoginFrom,
): Promise<Answer<Tokens & { failures: number; captcha: boolean; lockedUntil: number }>> {
  const body = {
    grant_type: 'password' as const,
    username: account,
    ...(await sealed(createClient(world.url), { password })),
    ...(captcha !== undefined && { captcha }),
    ...(knownDevice !== undefined && { known_device: knownDevice }),
    ...(otp !== undefined && { otp }),
  }
  return askFrom(world, ip, identityCalls.token, { body }, { authorization: `Basic ${btoa('console:')}` })
}

/** Log in with a wrong password from an address this many times. Return the error codes, in order. */
export async function failFrom(world: { url: string }, login: Omit<LoginFrom, 'password'>, times: number): Promise<number[]> {
  const codes: number[] = []
  for (let at = 0; at < times; at++) codes.push((await tryLoginFrom(world, { ...login, password: `Wrong-pass-${at}` })).code)
  return codes
}
