/**
 * Readers that another program on this machine feeds over HTTP: `POST /collector/card` with a number, as a keyboard wedge or the service of
 * a reader sends it, and `POST /collector/palm` with a picture, or with JSON of picture and template. The answer is 409 while neither is
 * awaited.
 */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { PALM_IMAGE_MAX, PALM_TEMPLATE_MAX } from '@gatehouse/contract/limits'
import type { CardReader, PalmReader, PresentedPalm } from './readers.ts'

const NUMBER = /^[0-9A-Za-z]{1,64}$/
/** A palm as JSON, both base64. */
const palmJson = z.object({ picture: z.base64().min(1), template: z.base64().min(1).max(PALM_TEMPLATE_MAX) })
/** Base64 takes four characters for three bytes; the rest is the template and the names. */
const PALM_JSON_MAX = (PALM_IMAGE_MAX / 3) * 4 + 2 * PALM_TEMPLATE_MAX

interface Fed<T> {
  read(signal: AbortSignal): Promise<T | null>
  /** Pass a value to the caller who waits; false if nobody waits. */
  feed(value: T): boolean
}

function createFed<T>(): Fed<T> {
  let waiting: ((value: T | null) => void) | null = null
  return {
    read(signal) {
      const { promise, resolve } = Promise.withResolvers<T | null>()
      const end = (value: T | null): void => {
        if (waiting === end) waiting = null
        resolve(value)
      }
      if (signal.aborted) end(null)
      else {
        waiting = end
        signal.addEventListener('abort', () => end(null), { once: true })
      }
      return promise
    },
    feed(value) {
      const end = waiting
      end?.(value)
      return end !== null
    },
  }
}

/** Return the number in a body: JSON `{ "number": … }`, or the plain text of a wedge. */
function numberOf(body: unknown): string | null {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8').trim() : ''
  let number: unknown = text
  if (text.startsWith('{')) {
    try {
      number = (JSON.parse(text) as { number?: unknown }).number
    } catch {
      return null
    }
  }
  return typeof number === 'string' && NUMBER.test(number) ? number : null
}

/** Return the palm in a body: JSON, or the bytes of a picture, of which none begins like JSON; null for neither. */
function palmOf(body: unknown): PresentedPalm | null {
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0)
  if (bytes[0] !== '{'.charCodeAt(0)) return bytes.length === 0 ? null : { picture: bytes, template: null }
  try {
    const { picture, template } = palmJson.parse(JSON.parse(bytes.toString('utf8')))
    return { picture: Buffer.from(picture, 'base64'), template }
  } catch {
    return null
  }
}

export interface Loopback {
  card: CardReader
  palm: PalmReader
  serve(server: FastifyInstance): void
}

export function createLoopback(): Loopback {
  const [cards, palms] = [createFed<string>(), createFed<PresentedPalm>()]
  return {
    card: cards,
    palm: palms,
    serve(server) {
      server.post('/collector/card', { bodyLimit: 1024 }, async (request, reply) => {
        const number = numberOf(request.body)
        if (number === null) return reply.code(400).send({ reason: 'noCardNumber' })
        return cards.feed(number) ? { taken: true } : reply.code(409).send({ reason: 'nobodyAsked' })
      })
      server.post('/collector/palm', { bodyLimit: PALM_JSON_MAX }, async (request, reply) => {
        const palm = palmOf(request.body)
        if (palm === null) return reply.code(400).send({ reason: 'noPicture' })
        if (palm.picture.length > PALM_IMAGE_MAX) return reply.code(413).send({ reason: 'tooLarge' })
        return palms.feed(palm) ? { taken: true } : reply.code(409).send({ reason: 'nobodyAsked' })
      })
    },
  }
}
