/** A relay that is switched over HTTP. */
import type { DoorOutput } from './door.ts'
import { latestOnly } from './latest.ts'

export interface HttpOutputOptions {
  /** Address of the relay; `{action}` stands for the word for the movement. */
  url: string
  /** Default GET, or POST with a body. */
  method?: 'GET' | 'POST'
  /** Sent as JSON; `{action}` as in the address. */
  body?: string
  /** The relay's words for opening and closing; default `open` and `close`. */
  words?: { open: string; close: string }
  /** Value of the header `Authorization`. */
  authorization?: string
  /** Milliseconds for one attempt; default 3 s. */
  timeout?: number
}

/** The relay understood the request and refused it: repeating it does not help. */
class RelayRefused extends Error {}

/**
 * Return a door output for a relay. An attempt without an answer, or answered with 500 or more, is repeated once.
 * @throws TypeError for an address that is no http or https URL
 */
export function httpOutput({
  url,
  body,
  method = body === undefined ? 'GET' : 'POST',
  words = { open: 'open', close: 'close' },
  authorization,
  timeout = 3_000,
}: HttpOutputOptions): DoorOutput {
  const { protocol, origin } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new TypeError(`The relay's address must begin with http:// or https://, not ${protocol}`)

  async function once(word: string, overtaken: AbortSignal): Promise<void> {
    const response = await fetch(url.replaceAll('{action}', encodeURIComponent(word)), {
      method,
      // A redirect must not send the secret of this relay elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeout), overtaken]),
      headers: { ...(authorization && { authorization }), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: body.replaceAll('{action}', word) }),
    }).catch((error: Error & { cause?: { code?: string } }) => {
      if (overtaken.aborted) throw error
      throw new Error(
        `The relay at ${origin} cannot be reached ` +
          `(${error.cause?.code ?? (error.name === 'TimeoutError' ? 'no answer in time' : error.message)}).`,
      )
    })
    await response.body?.cancel()
    if (response.ok) return
    const sentence = `The relay at ${origin} answers ${response.status}.`
    throw response.status >= 500 ? new Error(sentence) : new RelayRefused(sentence)
  }

  const move = latestOnly<string>(async (word, overtaken) => {
    try {
      await once(word, overtaken)
    } catch (error) {
      if (overtaken.aborted || error instanceof RelayRefused) throw error
      await once(word, overtaken)
    }
  })
  return { open: () => move(words.open), close: () => move(words.close) }
}
