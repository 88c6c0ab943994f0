/**
 * The visitor machine over HTTP, for the page on this machine. While the device is no visitor machine every address answers 404. A body
 * that cannot be read is answered with 400 and its field.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '@gatehouse/contract'
import { machineEvent } from '@gatehouse/contract/device/visitor-machine'
import { FACE_FILE_MAX } from '@gatehouse/contract/limits'
import { z } from 'zod'
import type { FindCode } from '../camera/code-finder.ts'
import { PAGE_HEADERS } from '../http/assets.ts'
import { reasonInWords, TEXTS } from '../http/texts.ts'
import { createUploadGate } from '../http/uploads.ts'
import { FrameDropped } from '../passage/camera.ts'
import { isPassText } from '@gatehouse/contract/device/visitor-pass'
import type { MachineAnswer, MachineState } from './answers.ts'
import { PURPOSES } from './deciding.ts'
import type { VisitorMachine } from './machine.ts'
import { drawCode } from './pass-code.ts'

export interface VisitorMachineRoutesOptions {
  machine: VisitorMachine
  /** Null while the device is no visitor machine. */
  state: () => MachineState | null
  findCode: FindCode
}

const token = z.string().min(1).max(64)
const purpose = z.enum(PURPOSES)
const forms = {
  phone: z.strictObject({ phone: z.string().trim().min(1).max(32), purpose }),
  code: z.strictObject({ text: z.string().min(1).max(512), purpose }),
  certificate: z.strictObject({ session: token, certificate: machineEvent.shape.certificateInfo.unwrap().unwrap().strict() }),
  confirm: z.strictObject({ session: token }),
  leave: z.strictObject({ session: token }),
}

/** Serve the calls of the page below `/visitor-machine/`. */
export function serveVisitorMachine(server: FastifyInstance, { machine, state, findCode }: VisitorMachineRoutesOptions): void {
  const gate = createUploadGate(2, 6)
  const config = { reach: 'thisMachine' } as const

  server.get('/visitor-machine/state', { config }, async (_request, reply) => {
    const current = state()
    return current === null ? noMachine(reply) : uncached(reply).send(current)
  })
  server.get('/visitor-machine/badge', { config }, async (request, reply) => {
    if (machine.settings() === null) return noMachine(reply)
    const query = z.strictObject({ session: token }).safeParse(request.query)
    const badge = query.success ? machine.badge(query.data.session) : null
    if (badge === null) return reply.code(404).send({ reason: 'notFound' })
    const { pass, ...words } = badge
    return uncached(reply).send({ ...words, code: pass === null ? null : await drawCode(pass) })
  })

  answer('phone', ({ phone, purpose: intent }) => machine.findByPhone(phone, intent))
  answer('code', ({ text, purpose: intent }) => machine.findByCode(text, intent))
  answer('certificate', ({ session, certificate }) => machine.certify(session, certificate))
  answer('confirm', ({ session }) => machine.confirm(session))
  answer('leave', async ({ session }): Promise<MachineAnswer> => {
    machine.leave(session)
    return { step: 'left' }
  })
  takePicture('look', z.strictObject({ session: token }), (query, picture) => machine.look(query.session, picture))
  takePicture('camera-code', z.strictObject({ purpose }), async (query, picture) => {
    const text = await findCode(picture).catch(() => null)
    // Codes on posters and phones are left alone.
    return text !== null && isPassText(text) ? machine.findByCode(text, query.purpose) : { step: 'left' }
  })

  function answer<Name extends keyof typeof forms>(
    name: Name,
    act: (form: z.output<(typeof forms)[Name]>) => Promise<MachineAnswer>,
  ): void {
    server.post(`/visitor-machine/${name}`, { config, bodyLimit: 16 * 1024 }, async (request, reply) => {
      if (machine.settings() === null) return noMachine(reply)
      const form = forms[name].safeParse(bodyOf(request))
      if (!form.success) return invalid(reply, form.error)
      return inWords(await act(form.data as z.output<(typeof forms)[Name]>), request, reply)
    })
  }

  function takePicture<Query>(
    name: string,
    form: z.ZodType<Query>,
    act: (query: Query, picture: Uint8Array) => Promise<MachineAnswer>,
  ): void {
    server.post(`/visitor-machine/${name}`, {
      config,
      bodyLimit: FACE_FILE_MAX,
      onRequest: async (_request, reply) => {
        if (machine.settings() === null) return noMachine(reply)
        if (!(await gate.enter(reply))) return busy(reply)
      },
      handler: async (request, reply) => {
        const query = form.safeParse(request.query)
        if (!query.success) return invalid(reply, query.error)
        try {
          const picture = request.body instanceof Uint8Array ? request.body : new Uint8Array()
          return inWords(await act(query.data, picture), request, reply)
        } catch (error) {
          if (error instanceof FrameDropped) return busy(reply)
          throw error
        }
      },
    })
  }
}

function bodyOf({ body }: FastifyRequest): unknown {
  try {
    return JSON.parse(body instanceof Uint8Array ? Buffer.from(body).toString() : '')
  } catch {
    return undefined
  }
}

/** What visitors are told must not stay in a cache. */
const uncached = (reply: FastifyReply): FastifyReply => reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })

const noMachine = (reply: FastifyReply): FastifyReply => reply.code(404).send({ reason: 'noVisitorMachine' })

const invalid = (reply: FastifyReply, error: z.ZodError): FastifyReply => {
  const [issue] = error.issues
  const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.')
  return reply.code(400).send({ reason: 'invalid', field: field ?? '' })
}

const busy = (reply: FastifyReply): FastifyReply => reply.code(429).header('retry-after', '1').send({ reason: 'busy' })

/** Add in words what is wrong with a picture. */
function inWords(answer: MachineAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reason = answer.step === 'look' && answer.trouble !== null && 'picture' in answer.trouble ? answer.trouble.picture : null
  const message = reasonInWords(TEXTS[languageOf(request.headers['accept-language'])], { failReason: null, reason })
  return uncached(reply).send(message === '' ? answer : { ...answer, message })
}
