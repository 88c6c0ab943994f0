/**
 * `POST /input/…`: values of readers, keypads and sensors, from this machine only. The answer is a verdict like that of `/frame`; `pending`
 * if more must be shown. A malformed body is answered with 400 and its field, a password or a number during a pause with 429.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cardNumberOf } from '@gatehouse/access-rules'
import { languageOf } from '@gatehouse/contract'
import { z } from 'zod'
import { FrameDropped, type FrameQueue } from '../passage/camera.ts'
import type { Awaiting } from '../passage/decision.ts'
import type { Input } from '../passage/inputs.ts'
import { Paused, type Passage, type Verdict } from '../passage/passage.ts'
import type { DisclosedVerdict } from './disclosure.ts'
import { reasonInWords, TEXTS } from './texts.ts'

export interface InputOptions {
  queue: FrameQueue
  passage: Passage
  /** How this terminal's readers write card numbers. */
  cardNumberFormat: () => string
  /** Returns the part of a verdict that a caller gets. */
  disclose: (verdict: Verdict, holdsKey: boolean) => DisclosedVerdict
}

const FORMATS = ['decimal', 'hex'] as const
/** Bytes; room for the portrait of an ID card as base64. */
const BODY_LIMIT = 512 * 1024

const inputForms = {
  /** `format`: how the number is written; default: the format of the settings. */
  card: z.object({ number: z.string().trim().min(1).max(64), format: z.enum(FORMATS).optional() }),
  /** `source`: read from the chip of the card, or typed in. `portrait`: base64 of a JPEG, PNG or WebP picture, from the chip. */
  id: z.object({ number: z.string().trim().min(1).max(64), source: z.enum(['chip', 'typed']), portrait: z.base64().optional() }),
  password: z.object({ password: z.string().min(1).max(16) }),
  qr: z.object({ text: z.string().min(1).max(256) }),
  /** The template as the module of the reader delivers it. */
  handprint: z.object({ template: z.base64().min(1).max(20_000) }),
  /** Degrees Celsius, or the codes -1 or -2; absent if nothing was reported. */
  sensor: z.object({ temperature: z.number().min(-2).max(60).optional(), mask: z.boolean().optional(), helmet: z.boolean().optional() }),
}

/** A verdict, what is still awaited after a measurement, or the name of an invalid field. */
type Answered = Verdict | { awaits: Awaiting | null } | string

/** Serve the calls of inputs. */
export function serveInputs(server: FastifyInstance, { queue, passage, cardNumberFormat, disclose }: InputOptions): void {
  const show = (input: Exclude<Input, { kind: 'face' }>) => passage.show(input)

  take('card', ({ number, format }) => {
    const digits = cardNumberOf(number, format ?? cardNumberFormat())
    return digits === null ? 'number' : show({ kind: 'card', number: digits })
  })
  take('id', async ({ number, source, portrait }) => {
    if (source === 'typed') return show({ kind: 'idNumber', number })
    const seen = portrait === undefined ? null : await queue.picture(() => passage.portraitOf(Buffer.from(portrait, 'base64')))
    return show({ kind: 'idCard', number, portrait: seen })
  })
  take('password', ({ password }) => show({ kind: 'password', password }))
  take('qr', ({ text }) => show({ kind: 'qrCode', text }))
  take('handprint', ({ template }) => show({ kind: 'handprint', template }))
  take('sensor', async (measured) => {
    await passage.measure(measured)
    return { awaits: passage.awaiting() }
  })

  /** @param answer returns the answer, or the name of an invalid field */
  function take<Name extends keyof typeof inputForms>(
    name: Name,
    answer: (form: z.output<(typeof inputForms)[Name]>) => Answered | Promise<Answered>,
  ): void {
    server.post(`/input/${name}`, {
      bodyLimit: BODY_LIMIT,
      config: { reach: 'thisMachine', refusal: (_request, reason) => notTaken(reason) },
      handler: async (request, reply) => {
        const form = inputForms[name].safeParse(bodyOf(request))
        if (!form.success) return reply.code(400).send(notTaken('invalid', String(form.error.issues[0]?.path.join('.') ?? '')))
        try {
          const answered = await answer(form.data as z.output<(typeof inputForms)[Name]>)
          if (typeof answered === 'string') return reply.code(400).send(notTaken('invalid', answered))
          return 'failReason' in answered ? inWords(disclose(answered, request.holdsKey ?? false), request) : answered
        } catch (error) {
          return refused(reply, error)
        }
      },
    })
  }
}

const notTaken = (reason: string, field?: string) => ({
  verdict: 'rejected',
  failReason: null,
  personId: null,
  personName: '',
  recordId: null,
  reason,
  ...(field !== undefined && { field }),
})

function bodyOf({ body }: FastifyRequest): unknown {
  try {
    return JSON.parse(body instanceof Uint8Array ? Buffer.from(body).toString() : '')
  } catch {
    return undefined
  }
}

function refused(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof Paused) {
    const retryAfter = Math.ceil(error.wait / 1000)
    return reply
      .code(429)
      .header('retry-after', String(retryAfter))
      .send({ ...notTaken('paused'), retryAfter })
  }
  if (error instanceof FrameDropped) return reply.code(429).header('retry-after', '1').send(notTaken(error.why))
  throw error
}

function inWords(verdict: DisclosedVerdict, request: FastifyRequest): object {
  return { ...verdict, message: reasonInWords(TEXTS[languageOf(request.headers['accept-language'])], verdict) }
}
