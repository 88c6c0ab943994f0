/** One call of the contract over HTTP: send the request and interpret the answer. */
import { addressOf, type Call, type CallShape, type Schema } from '@gatehouse/contract'
import { fetch, type Dispatcher, type RequestInit, type Response as Answered } from 'undici'
import { z } from 'zod'
import { NotEncrypted } from './secure-socket.ts'

/** The server cannot be reached, or answers nothing usable: the call is worth another attempt. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway'
  /** HTTP status it answered with; null when no answer came. */
  readonly status: number | null
  /** No answer came within the time limit. */
  readonly timedOut: boolean
  constructor(message: string, { status = null, timedOut = false }: { status?: number | null; timedOut?: boolean } = {}) {
    super(message)
    this.status = status
    this.timedOut = timedOut
  }
}

/** The server understood the request and refused it: repeating it does not help. */
export class ServerRefused extends Error {
  override readonly name: string = 'ServerRefused'
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** Whether the credentials were refused. */
  get credentials(): boolean {
    return this.status === 401 || this.status === 403
  }
}

/** The peer has not proved that it is the server, or the connection does not lead to the server: nothing more is sent. */
export class ServerUnproven extends ServerRefused {
  override readonly name = 'ServerUnproven'
  constructor(message: string) {
    super(401, 401, message)
  }
}

/** A connection shows a key that is not one of the server's; nothing was sent over it. */
export class ForeignKey extends Error {
  override readonly name = 'ForeignKey'
  /** As `Peer.keyDigest`. */
  readonly keyDigest: string
  constructor(keyDigest: string) {
    super(`the key ${keyDigest} is not one of the server's`)
    this.keyDigest = keyDigest
  }
}

/** Whether the server judged this very request, or failed on it: a request for less may succeed. */
export function failsOnThis(error: unknown): boolean {
  return error instanceof ServerRefused ? !error.credentials : error instanceof ServerAway && error.status === 500
}

/** Whether the requested audience no longer belongs to the device. */
export const isMissing = (error: unknown): boolean => error instanceof ServerRefused && error.status === 404

export interface Answer {
  status: number
  bytes: Uint8Array
}

export interface ExchangeOptions {
  signal: AbortSignal
  /** The connections to use. */
  dispatcher: Dispatcher
  /** Token of the device; a request without it carries no authorization. */
  token?: string
  range?: { from: number; to: number } | undefined
  file?: Blob | undefined
}

/** Largest answer in bytes, decoded, to a request without a token: the peer may be anybody. */
const UNPROVEN_BYTES = 64 * 1024
/** Largest answer in bytes to a request with a token. The largest pages hold 500 persons with all their data. */
const PROVEN_BYTES = 128 * 1024 * 1024

/** An answer is larger than it may be. */
class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly status: number
  constructor(status: number) {
    super()
    this.status = status
  }
}

/** Send a request. @throws ServerAway; ForeignKey or NotEncrypted if the connection was not accepted, so that nothing was sent */
export async function exchange(
  origin: URL,
  call: Call<CallShape>,
  request: unknown,
  { signal, dispatcher, token, range, file }: ExchangeOptions,
): Promise<Answer> {
  const { params, query, body } = request as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
  const headers: Record<string, string> = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    accept: 'application/json',
    // Decoders take memory, and an unproven peer gets none.
    ...(token === undefined && { 'accept-encoding': 'identity' }),
    ...(range && { range: `bytes=${range.from}-${range.to}` }),
  }
  // The target of a redirect has proved nothing.
  const init: RequestInit = { method: call.method, headers, signal, dispatcher, redirect: 'manual' }
  if (file) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body ?? {})) form.append(name, String(value))
    form.append('file', file, 'picture.webp')
    // Sent as a stream, a request aborted at its start would end the process with an error that cannot be caught.
    const whole = new Response(form)
    headers['content-type'] = whole.headers.get('content-type')!
    init.body = await whole.arrayBuffer()
  } else if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  const url = new URL(addressOf(call, params), origin)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
  try {
    const response = await fetch(url, init)
    return { status: response.status, bytes: await bytesOf(response, largestAnswer({ token, range })) }
  } catch (error) {
    if (error instanceof TooLarge)
      throw new ServerAway(`The server at ${url.origin} answers more than it was asked for.`, { status: error.status })
    const { cause } = error as Error
    if (cause instanceof ForeignKey || cause instanceof NotEncrypted) throw cause
    throw new ServerAway(`The server at ${url.origin} cannot be reached (${reasonOf(error)}).`, { timedOut: isTimeout(error) })
  }
}

/** Return the size limit of an answer. An error may arrive in place of a part of a file. */
function largestAnswer({ token, range }: Pick<ExchangeOptions, 'token' | 'range'>): number {
  if (token === undefined) return UNPROVEN_BYTES
  return range ? Math.max(range.to - range.from + 1, UNPROVEN_BYTES) : PROVEN_BYTES
}

/** Read an answer to its end; a larger one is aborted and its connection closed. @throws TooLarge, or a network error */
async function bytesOf({ body, status }: Answered, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > limit) throw new TooLarge(status)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces, length))
}

export const isTimeout = (error: unknown): boolean => (error as Error).name === 'TimeoutError'

const envelope = z.object({ code: z.number(), message: z.string().default(''), data: z.unknown().optional() })

/** Return the envelope of a successful answer. @throws ServerAway, ServerRefused for any other */
export function envelopeOf({ status, bytes }: Answer): z.output<typeof envelope> {
  // 408: this time, the network was too slow for the request.
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

/** Return the data of an answer. @throws ServerAway, ServerRefused */
export function dataOf(schema: Schema | undefined, answer: Answer): unknown {
  const { data } = envelopeOf(answer)
  if (!schema) return undefined
  const parsed = z.safeParse(schema, data)
  if (parsed.success) return parsed.data
  throw new ServerAway(`The server answers something this version does not understand (${parsed.error.issues[0]?.path.join('.') ?? ''}).`, {
    status: 200,
  })
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Return the reason of an error. `fetch` hides it in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (isTimeout(error) ? 'no answer in time' : message)
}
