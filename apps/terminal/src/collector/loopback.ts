/**
 * Readers that another program on this machine feeds over HTTP: `POST /collector/card` with a number, as a keyboard wedge or the service of
 * a reader sends it, and `POST /collector/palm` with a picture. The answer is 409 while neither is awaited.
 */
import type { FastifyInstance } from 'fastify'
import { PALM_IMAGE_MAX } from '@gatehouse/contract/limits'
import type { CardReader, PalmReader } from './readers.ts'

const NUMBER = /^[0-9A-Za-z]{1,64}$/

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

export interface Loopback {
  card: CardReader
  palm: PalmReader
  serve(server: FastifyInstance): void
}

export function createLoopback(): Loopback {
  const [cards, palms] = [createFed<string>(), createFed<Uint8Array>()]
  return {
    card: cards,
    palm: palms,
    serve(server) {
      server.post('/collector/card', { bodyLimit: 1024 }, async (request, reply) => {
        const number = numberOf(request.body)
        if (number === null) return reply.code(400).send({ reason: 'noCardNumber' })
        return cards.feed(number) ? { taken: true } : reply.code(409).send({ reason: 'nobodyAsked' })
      })
      server.post('/collector/palm', { bodyLimit: PALM_IMAGE_MAX }, async (request, reply) => {
        const picture = request.body instanceof Uint8Array ? request.body : new Uint8Array()
        if (picture.length === 0) return reply.code(400).send({ reason: 'noPicture' })
        return palms.feed(picture) ? { taken: true } : reply.code(409).send({ reason: 'nobodyAsked' })
      })
    },
  }
}
