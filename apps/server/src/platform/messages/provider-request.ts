/** Requests to providers of messages: bounded in time and size, with an answer in JSON. */
import { Undelivered } from './carrier.ts'

/** Milliseconds a provider may take to answer. */
export const PROVIDER_PATIENCE_MS = 10_000
/** Bytes of an answer; the answers that are documented have some hundred. */
const ANSWER_MAX = 64 * 1024

export interface ProviderAnswer {
  status: number
  body: Readonly<Record<string, unknown>>
}

/** Return the body as text. @throws Undelivered for one that is too long */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX) throw new Undelivered(`The provider answered with more than ${ANSWER_MAX} bytes`, false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Make a request.
 * @throws Undelivered, not final, where the provider cannot be reached, is late, or answers with anything but an object. Its reason does
 *   not repeat the address, which contains a token.
 */
export async function askProvider(url: URL, options: RequestInit, patienceMs: number): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, { ...options, redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
    const body = JSON.parse(await textOf(response)) as unknown
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new SyntaxError('no object')
    return { status: response.status, body: body as ProviderAnswer['body'] }
  } catch (error) {
    if (error instanceof Undelivered) throw error
    if (error instanceof SyntaxError) throw new Undelivered(`${url.host} did not answer in JSON`, false)
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Undelivered(`${url.host} did not answer within ${patienceMs / 1000} seconds`, false)
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
    throw new Undelivered(`${url.host} could not be reached${cause === '' ? '' : `: ${cause}`}`, false)
  }
}
