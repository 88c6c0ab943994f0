/** One exchange with the server: a contract call in, its data out, a `Refusal` for everything else. It also stores the park's time zone. */
import {
  LINK_TOKEN_HEADER,
  addressOf,
  businessErrorOf,
  loginCodes,
  type Call,
  type CallShape,
  type DataOf,
  type RequestOf,
} from '@gatehouse/contract'
import { clientRefusal, Refusal, type RefusalFamily } from './refusal.ts'
import { storage } from './storage.ts'
import { rememberOffset } from '../kit/time.ts'

export type AnyCall = Call<CallShape>
/** The parts that a call declares; `file` is sent as the part of that name in a multipart call. */
export type PartsOf<C extends AnyCall> = RequestOf<C> & { file?: Blob }
/** Answer of a call that `produces: 'file'`. */
export interface ReceivedFile {
  blob: Blob
  /** Name given by the server. */
  name: string
}
export type AnswerOf<C extends AnyCall> = C extends { produces: 'file' } ? ReceivedFile : DataOf<C>

/** The parts of a call whose schemas are not known to the compiler, because it is one of several. */
export interface LooseParts {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: Record<string, unknown> | undefined
  file?: Blob
  linkToken?: string
}

/** Return the query string of a call: empty values are left out, lists repeat their name. */
export function searchOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item))
  return search.size > 0 ? `?${search}` : ''
}

function bodyOf(call: AnyCall, { body, file }: LooseParts): { body?: BodyInit; type?: string } {
  const filled = Object.entries(body ?? {}).filter(([, value]) => value !== undefined && value !== null)
  if (call.consumes === 'form') return { body: new URLSearchParams(filled.map(([name, value]) => [name, String(value)])) }
  if (call.consumes === 'multipart' && (file !== undefined || call.orJson !== true)) {
    const form = new FormData()
    for (const [name, value] of filled) form.append(name, String(value))
    if (file) form.append('file', file)
    return { body: form }
  }
  return body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' }
}

/** Return the family that a code belongs to; the same number may occur in several families. */
export function familyOf(call: Pick<CallShape, 'permission'>, status: number, code: number): RefusalFamily {
  if (call.permission === 'basic' && code in loginCodes) return 'login'
  if (businessErrorOf(code)) return 'business'
  return status >= 400 || code < 1000 ? 'http' : 'business'
}

const fileNameOf = (header: string | null): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1] ?? /filename="?([^";]+)/i.exec(header ?? '')?.[1] ?? 'file')

/**
 * Send a call and return its answer.
 *
 * @throws Refusal for a body code other than 0, an HTTP error, no answer, or an aborted signal
 */
export async function exchange<C extends AnyCall>(
  call: C,
  parts: PartsOf<C>,
  init: { authorization?: string; signal?: AbortSignal; send?: typeof fetch } = {},
): Promise<AnswerOf<C>> {
  const loose = parts as LooseParts
  const { body, type } = bodyOf(call, loose)
  const headers = new Headers({ 'Accept-Language': storage.get('language') ?? document.documentElement.lang })
  if (init.authorization) headers.set('Authorization', init.authorization)
  if (type) headers.set('Content-Type', type)
  if (loose.linkToken !== undefined) headers.set(LINK_TOKEN_HEADER, loose.linkToken)

  const address = addressOf(call, loose.params) + searchOf(loose.query)
  const response = await (init.send ?? fetch)(address, {
    method: call.method,
    headers,
    body,
    signal: init.signal,
    keepalive: call.method === 'DELETE',
  }).catch(() => {
    throw clientRefusal(init.signal?.aborted ? 'NAVIGATION_CANCELLED' : 'UNREACHABLE')
  })
  rememberOffset(response.headers.get('X-Timezone-Offset'))
  if (response.ok && call.produces === 'file') {
    return { blob: await response.blob(), name: fileNameOf(response.headers.get('Content-Disposition')) } as AnswerOf<C>
  }

  const answer = (await response.json().catch(() => {
    if (init.signal?.aborted) throw clientRefusal('NAVIGATION_CANCELLED')
    return {}
  })) as { code?: number; message?: string; data?: unknown }
  if (response.ok && !answer.code) return (call.produces === 'flat' ? answer : answer.data) as AnswerOf<C>

  const code = answer.code || response.status
  const { message = '', data } = answer
  throw new Refusal({
    family: familyOf(call, response.status, code),
    code,
    status: response.status,
    message,
    data: (data ?? {}) as Record<string, unknown>,
  })
}
