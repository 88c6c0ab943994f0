/** A typed client of the public calls: what the console is in a browser, for tests, benchmarks and the demo. */
import { X509Certificate, constants, publicEncrypt } from 'node:crypto'
import { checkServerIdentity } from 'node:tls'
import { Agent, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici'
import { LINK_TOKEN_HEADER, addressOf, type Call, type DataOf, type FieldIssue, type InputOf, type LinkTokenOf } from '@gatehouse/contract'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { passwordText } from '@gatehouse/contract/password-text'

/** Input of a call; parts that the call does not declare do not exist. */
export type CallInput<C extends Call> = Given<'params', C['params']> &
  Given<'query', C['query']> &
  Given<'body', C['body']> &
  (C['consumes'] extends 'multipart' ? { file?: Uint8Array } : unknown) &
  LinkTokenOf<C>
type Given<Name extends string, S> = S extends { _zod: unknown }
  ? undefined extends InputOf<S>
    ? { [K in Name]?: InputOf<S> }
    : { [K in Name]: InputOf<S> }
  : unknown

export interface Answer<Data = unknown> {
  status: number
  code: number
  message: string
  data: Data
  headers: Headers
}

/** The server answered something other than what was requested. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly status: number
  readonly code: number
  readonly data: { fields?: FieldIssue[]; [key: string]: unknown } | undefined
  constructor(call: { method: string; url: string }, { status, code, message, data }: Answer) {
    super(`${call.method} ${call.url} answers ${status}, code ${code}: ${message} ${JSON.stringify(data ?? {}).slice(0, 500)}`)
    this.status = status
    this.code = code
    this.data = data as CallRefused['data']
  }
}

/** The caller's credentials: an `Authorization` header, or none. */
export type Credentials = { bearer: string } | { basic: [id: string, secret: string] } | null

export interface Client {
  readonly url: string
  readonly credentials: Credentials
  /** @throws CallRefused for anything but HTTP 2xx with code 0 */
  call<C extends Call>(call: C, input: CallInput<C>, signal?: AbortSignal): Promise<DataOf<C>>
  /** Return the whole answer, whatever its status. */
  ask<C extends Call>(call: C, input: CallInput<C>, signal?: AbortSignal): Promise<Answer<DataOf<C>>>
  as(credentials: Credentials): Client
}

type Values = Record<string, unknown>

/** Node's own `fetch` accepts no certificate authority. */
const fetchBy = async (dispatcher: Agent, address: string, init: RequestInit): Promise<Response> =>
  (await undiciFetch(address, { ...(init as UndiciInit), dispatcher })) as Response

const authorisation = (credentials: Credentials): Record<string, string> => {
  if (credentials === null) return {}
  if ('bearer' in credentials) return { authorization: `Bearer ${credentials.bearer}` }
  return { authorization: `Basic ${Buffer.from(credentials.basic.join(':')).toString('base64')}` }
}

/** Return values as they stand in an address: lists repeated, absent values left out. */
function searchOf(values: Values | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) search.append(name, String(one))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

function multipart(fields: Values | undefined, file: Uint8Array | undefined): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) if (value !== undefined) form.append(name, String(value))
  if (file !== undefined) form.append('file', new Blob([new Uint8Array(file)]), 'picture')
  return form
}

async function requestOf(call: Call, input: Values, credentials: Credentials): Promise<{ address: string; init: RequestInit }> {
  const { params, query, body, file, linkToken } = input as {
    params?: Record<string, string>
    query?: Values
    body?: Values
    file?: Uint8Array
    linkToken?: string
  }
  const headers = authorisation(credentials)
  if (linkToken !== undefined) headers[LINK_TOKEN_HEADER] = linkToken
  const init: RequestInit = { method: call.method, headers }
  if (call.consumes === 'multipart' && (file !== undefined || call.orJson !== true)) {
    // Not sent as a stream: a request that is aborted as it begins would end the process with an error that nobody can catch.
    const whole = new Response(multipart(body, file))
    headers['content-type'] = whole.headers.get('content-type')!
    init.body = await whole.arrayBuffer()
  } else if (call.consumes === 'form') init.body = new URLSearchParams(searchOf(body))
  else if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  return { address: addressOf(call, params) + searchOf(query), init }
}

/** Return an agent that trusts an authority, and a server that presents this very certificate under any name. */
function agentTrusting(authority: string): Agent {
  const { raw } = new X509Certificate(authority)
  return new Agent({
    connect: {
      ca: authority,
      checkServerIdentity: (host, shown) => (shown.raw.equals(raw) ? undefined : checkServerIdentity(host, shown)),
    },
  })
}

/** Create a client for the server at `url`. @param authority PEM certificate that is trusted over HTTPS besides the usual ones */
export function createClient(url: string, credentials: Credentials = null, authority?: string): Client {
  const trusting = authority === undefined ? null : agentTrusting(authority)
  async function ask<C extends Call>(call: C, input: CallInput<C>, signal?: AbortSignal): Promise<Answer<DataOf<C>>> {
    const { address, init } = await requestOf(call, input as Values, credentials)
    const options = { ...init, signal }
    const response = trusting === null ? await fetch(url + address, options) : await fetchBy(trusting, url + address, options)
    const { status, headers } = response
    const text = await response.text()
    const { code = status, message = '', data, ...flat } = text.startsWith('{') ? (JSON.parse(text) as Partial<Answer>) : {}
    return { status, headers, code, message, data: (call.produces === 'flat' && code === 0 ? flat : data) as DataOf<C> }
  }
  return {
    url,
    credentials,
    ask,
    async call(call, input, signal) {
      const answer = await ask(call, input, signal)
      if (answer.status >= 300 || answer.code !== 0) throw new CallRefused(call, answer)
      return answer.data
    },
    as: (other) => createClient(url, other, authority),
  }
}

/** Return a password as it is sent: encrypted under the server's login key, with a nonce. The server opens it once. */
export async function sealPassword(client: Pick<Client, 'call'>, password: string): Promise<string> {
  const { publicKey, nonce } = await client.call(identityCalls.loginConfig, {})
  const key = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  return publicEncrypt(key, Buffer.from(passwordText(nonce, password))).toString('base64')
}

/** Confirm a session with its user's password, as some calls require. */
export async function confirmPassword(client: Pick<Client, 'call'>, password: string): Promise<void> {
  await client.call(ownCalls.confirm, { body: { password: await sealPassword(client, password) } })
}

/** Log in as a browser does. @param areaCode park in which the session starts; by default the park last used */
export async function logIn(
  client: Client,
  { account, password, areaCode }: { account: string; password: string; areaCode?: string },
): Promise<Tokens> {
  const cipherText = await sealPassword(client, password)
  const body = { grant_type: 'password' as const, username: account, password: cipherText, ...(areaCode !== undefined && { areaCode }) }
  return client.as({ basic: ['console', ''] }).call(identityCalls.token, { body })
}
