/** Calls of the contract to the server, with the device's credentials. */
import { addressOf, type Call, type CallShape, type DataOf, type RequestOf, type Schema } from '@gatehouse/contract'
import { z } from 'zod'

/** The server cannot be reached, or answers nothing usable: worth another try. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway'
  /** HTTP status it answered with; null when no answer came. */
  readonly status: number | null
  /** No answer came within the time given. */
  readonly timedOut: boolean
  constructor(message: string, { status = null, timedOut = false }: { status?: number | null; timedOut?: boolean } = {}) {
    super(message)
    this.status = status
    this.timedOut = timedOut
  }
}

/** The server understood and said no: another try will not change that by itself. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused'
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** The credentials were not taken. */
  get credentials(): boolean {
    return this.status === 401 || this.status === 403
  }
}

/** Whether the server reached a verdict on this very request, or failed on it: asking for less may get further. */
export function failsOnThis(error: unknown): boolean {
  return error instanceof ServerRefused ? !error.credentials : error instanceof ServerAway && error.status === 500
}

/** Whether the audience asked about is not the device's any more. */
export const isMissing = (error: unknown): boolean => error instanceof ServerRefused && error.status === 404

/** Milliseconds half a megabyte may take on a slow line. */
export const BULK_TIMEOUT = 120_000

export interface RequestOptions {
  /** Milliseconds, 15 s unless told. */
  timeout?: number
  signal?: AbortSignal
  /** Of a file, these bytes only: the first and the last. */
  range?: { from: number; to: number }
}

export interface ServerClient {
  /** Address of the server, without a slash at its end. */
  readonly address: URL
  /** @throws ServerAway, ServerRefused */
  request<C extends Call<CallShape>>(call: C, request: RequestOf<C>, options?: RequestOptions & { file?: Blob }): Promise<DataOf<C>>
  /** The file a call answers with. @throws ServerAway, ServerRefused */
  download<C extends Call<CallShape>>(call: C, request: RequestOf<C>, options?: RequestOptions): Promise<Uint8Array>
}

const envelope = z.object({ code: z.number(), message: z.string().default(''), data: z.unknown().optional() })

/** @throws TypeError for an address that is no http or https URL */
export function createServerClient({ server, code, secret }: { server: string; code: string; secret: string }): ServerClient {
  const address = new URL(server)
  if (!/^https?:$/.test(address.protocol))
    throw new TypeError(`The server's address must begin with http:// or https://, not ${address.protocol}`)
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`

  async function exchange(
    call: Call<CallShape>,
    request: unknown,
    { timeout = 15_000, signal, range, file }: RequestOptions & { file?: Blob },
  ): Promise<Answer> {
    const { params, query, body } = request as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
    const headers: Record<string, string> = {
      authorization,
      accept: 'application/json',
      ...(range && { range: `bytes=${range.from}-${range.to}` }),
    }
    const init: RequestInit = {
      method: call.method,
      headers,
      signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
    }
    if (file) {
      const form = new FormData()
      form.append('file', file, 'picture.webp')
      // Sent as a stream, a request that is broken off as it begins would end the process with a fault nobody can catch.
      const whole = new Response(form)
      headers['content-type'] = whole.headers.get('content-type')!
      init.body = await whole.arrayBuffer()
    } else if (body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(body)
    }
    const url = new URL(addressOf(call, params), address)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
    try {
      const response = await fetch(url, init)
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
    } catch (error) {
      throw new ServerAway(`The server at ${url.origin} cannot be reached (${reasonOf(error)}).`, {
        timedOut: (error as Error).name === 'TimeoutError',
      })
    }
  }

  return {
    address,
    async request(call, request, options = {}) {
      const answer = await exchange(call, request, options)
      return dataOf(call.data, envelopeOf(answer).data) as DataOf<typeof call>
    },
    async download(call, request, options = {}) {
      const answer = await exchange(call, request, options)
      const { range } = options
      if (answer.status !== (range ? 206 : 200)) envelopeOf(answer)
      if (range && answer.bytes.length !== range.to - range.from + 1)
        throw new ServerAway('The server answers another part of the file than it was asked for.', { status: answer.status })
      return answer.bytes
    },
  }
}

interface Answer {
  status: number
  bytes: Uint8Array
}

/** @throws ServerAway, ServerRefused unless the answer says that all went well */
function envelopeOf({ status, bytes }: Answer): z.output<typeof envelope> {
  // 408: the line was too slow for what was sent, this time.
  if (status >= 500 || status === 429 || status === 408) throw new ServerAway(`The server answers ${status}.`, { status })
  const parsed = envelope.safeParse(parsedJson(new TextDecoder().decode(bytes)))
  if (!parsed.success) {
    if (status >= 400) throw new ServerRefused(status, status, `The server answers ${status}.`)
    throw new ServerAway('The server answers something else than this product: is the address right?', { status })
  }
  const { code, message } = parsed.data
  if (status >= 400 || code !== 0) throw new ServerRefused(status, code, message || `The server refuses with code ${code}.`)
  return parsed.data
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetch` hides what happened in the cause. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? 'no answer in time' : message)
}

function dataOf(schema: Schema | undefined, data: unknown): unknown {
  if (!schema) return undefined
  const parsed = z.safeParse(schema, data)
  if (parsed.success) return parsed.data
  throw new ServerAway(`The server answers something this version does not understand (${parsed.error.issues[0]?.path.join('.') ?? ''}).`, {
    status: 200,
  })
}
