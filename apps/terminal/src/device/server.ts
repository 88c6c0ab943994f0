/** Calls of the contract to the server, made by a device that signs in first. No call contains the secret. */
import type { Call, CallShape, DataOf, RequestOf } from '@gatehouse/contract'
import { dataOf, envelopeOf, exchange, ForeignKey, ServerAway, type Answer, type ExchangeOptions } from './exchange.ts'
import { NotEncrypted } from './secure-socket.ts'
import { createSignIn, type ServerSecurity, type SignInOptions, type Way } from './sign-in.ts'

export { failsOnThis, isMissing, ServerAway, ServerRefused, ServerUnproven } from './exchange.ts'

/** Milliseconds that half a megabyte may take on a slow line. */
export const BULK_TIMEOUT = 120_000

export interface RequestOptions {
  /** Milliseconds; default 15 s. */
  timeout?: number
  signal?: AbortSignal
  /** Request these bytes of a file only; `to` is the last one. */
  range?: { from: number; to: number }
}

export interface ServerClient {
  /** Address of the server, without a slash at its end. */
  readonly address: URL
  /** @throws ServerAway, ServerRefused */
  request<C extends Call<CallShape>>(call: C, request: RequestOf<C>, options?: RequestOptions & { file?: Blob }): Promise<DataOf<C>>
  /** Return the file a call answers with. @throws ServerAway, ServerRefused */
  download<C extends Call<CallShape>>(call: C, request: RequestOf<C>, options?: RequestOptions): Promise<Uint8Array>
}

/** The client of a device, with its knowledge of the connection. */
export interface ServerConnection extends ServerClient {
  /** Null before the first sign-in. */
  security(): ServerSecurity | null
  /** Return whether the server vouches for a key. It is asked again before the answer is no. @throws ServerAway, ServerRefused */
  vouchesFor(keyDigest: string, signal: AbortSignal): Promise<boolean>
  /** Close all connections. */
  close(): void
}

/** Return a client. @throws TypeError for an address that is no http or https URL */
export function createServerClient(access: SignInOptions): ServerConnection {
  const signIn = createSignIn(access)

  async function answered(
    call: Call<CallShape>,
    request: unknown,
    { timeout = 15_000, signal: given, range, file }: RequestOptions & { file?: Blob },
  ): Promise<Answer> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(given ? [given] : [])])
    const ask = (origin: URL, over: Pick<ExchangeOptions, 'dispatcher' | 'token'>) =>
      exchange(origin, call, request, { signal, range, file, ...over })
    try {
      if (call.permission === 'public') return await signIn.unproven((origin, { dispatcher }) => ask(origin, { dispatcher }))
      const over = (way: Way) =>
        ask(way.origin, { dispatcher: way.connections.dispatcher, token: way.token }).catch((error: unknown) => {
          if (error instanceof ServerAway && error.status === null) signIn.unanswered(way)
          throw error
        })
      const first = await signIn.way(signal)
      const answer = await over(first).catch(unlessUnsent)
      if (answer !== null && !mustSignIn(answer)) return answer
      signIn.spent(first)
      return await over(await signIn.way(signal))
    } catch (error) {
      throw isUnsent(error) ? new ServerAway(`The server at ${signIn.address().origin} cannot be reached (${error.message}).`) : error
    }
  }

  return {
    get address() {
      return signIn.address()
    },
    async request(call, request, options = {}) {
      return dataOf(call.data, await answered(call, request, options)) as DataOf<typeof call>
    },
    async download(call, request, options = {}) {
      const answer = await answered(call, request, options)
      const { range } = options
      if (answer.status !== (range ? 206 : 200)) envelopeOf(answer)
      if (range && answer.bytes.length !== range.to - range.from + 1)
        throw new ServerAway('The server answers another part of the file than it was asked for.', { status: answer.status })
      return answer.bytes
    },
    security: signIn.security,
    async vouchesFor(keyDigest, signal) {
      const way = await signIn.way(signal)
      if (way.keys.includes(keyDigest)) return true
      signIn.spent(way)
      return (await signIn.way(signal)).keys.includes(keyDigest)
    },
    close: signIn.close,
  }
}

/** 401: the token is no longer accepted. 426: the server now accepts TLS only. */
const mustSignIn = ({ status }: Answer): boolean => status === 401 || status === 426

/** The connection was not accepted, and nothing was sent over it. */
const isUnsent = (error: unknown): error is Error => error instanceof ForeignKey || error instanceof NotEncrypted

const unlessUnsent = (error: unknown): null => {
  if (isUnsent(error)) return null
  throw error
}
