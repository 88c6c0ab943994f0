/** Calls of the contract to the server, with the device's credentials. */
import { addressOf, type Call, type CallShape, type DataOf, type RequestOf, type Schema } from '@gatehouse/contract'
import { z } from 'zod'

/** The server cannot be reached, or answers nothing usable: worth another try. */
class ServerAway extends Error {
  override readonly name = 'ServerAway'
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

export interface ServerClient {
  /** Address of the server, without a slash at its end. */
  readonly address: URL
  /**
   * @param timeout milliseconds, 15 s unless told
   * @throws ServerAway, ServerRefused
   */
  request<C extends Call<CallShape>>(call: C, request: RequestOf<C>, options?: { timeout?: number; signal?: AbortSignal; file?: Blob }): Promise<DataOf<C>>
}

const envelope = z.object({ code: z.number(), message: z.string().default(''), data: z.unknown().optional() })

/** @throws TypeError for an address that is no http or https URL */
export function createServerClient({ server, code, secret }: { server: string; code: string; secret: string }): ServerClient {
  const address = new URL(server)
  if (!/^https?:$/.test(address.protocol)) throw new TypeError(`The server's address must begin with http:// or https://, not ${address.protocol}`)
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`

  return {
    address,
    async request(call, request, { timeout = 15_000, signal, file } = {}) {
      const { params, body } = request as { params?: Record<string, string>; body?: unknown }
      const headers: Record<string, string> = { authorization, accept: 'application/json' }
      const init: RequestInit = { method: call.method, headers, signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]) }
      if (file) {
        const form = new FormData()
        form.append('file', file, 'picture.webp')
        init.body = form
      } else if (body !== undefined) {
        headers['content-type'] = 'application/json'
        init.body = JSON.stringify(body)
      }
      const { status, answer } = await exchange(new URL(addressOf(call, params), address), init)
      const parsed = envelope.safeParse(answer)
      if (status >= 500 || status === 429) throw new ServerAway(`The server answers ${status}.`)
      if (!parsed.success) {
        if (status >= 400) throw new ServerRefused(status, status, `The server answers ${status}.`)
        throw new ServerAway('The server answers something else than this product: is the address right?')
      }
      if (status >= 400 || parsed.data.code !== 0) throw new ServerRefused(status, parsed.data.code, parsed.data.message || `The server refuses with code ${parsed.data.code}.`)
      return dataOf(call.data, parsed.data.data) as DataOf<typeof call>
    },
  }
}

async function exchange(url: URL, init: RequestInit): Promise<{ status: number; answer: unknown }> {
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    return { status: response.status, answer: parsedJson(text) }
  } catch (error) {
    throw new ServerAway(`The server at ${url.origin} cannot be reached (${reasonOf(error)}).`)
  }
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
  throw new ServerAway(`The server answers something this version does not understand (${parsed.error.issues[0]?.path.join('.') ?? ''}).`)
}
