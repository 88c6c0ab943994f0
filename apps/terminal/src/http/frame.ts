/** `POST /frame`: a picture in, a verdict out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '@gatehouse/contract'
import { FACE_FILE_MAX } from '@gatehouse/contract/limits'
import { FrameDropped, type FrameQueue } from '../passage/camera.ts'
import type { Passage, Verdict } from '../passage/passage.ts'
import type { DisclosedVerdict } from './disclosure.ts'
import { reasonInWords, TEXTS } from './texts.ts'
import { createUploadGate } from './uploads.ts'

export interface FrameOptions {
  queue: FrameQueue
  passage: Passage
  /** False if the engine could not be started. */
  engineWorks: () => boolean
  /** Returns the part of a verdict that a caller gets. */
  disclose: (verdict: Verdict, holdsKey: boolean) => DisclosedVerdict
}

/** Answer to a picture that was not processed. */
const notLookedAt = (reason: string) => ({
  verdict: 'rejected',
  failReason: null,
  personId: null,
  personName: '',
  recordId: null,
  reason,
})

/** Serve the picture call. A picture that shows no face is HTTP 200 with its reason; only a malformed call is 4xx. */
export function serveFrames(server: FastifyInstance, { queue, passage, engineWorks, disclose }: FrameOptions): void {
  const pictures = createUploadGate(4, 60)
  const frames = createUploadGate(4, 0)

  server.post('/frame', {
    bodyLimit: FACE_FILE_MAX,
    config: { reach: 'screen', refusal: (_request, reason) => notLookedAt(reason) },
    onRequest: async (request, reply) => {
      if (!engineWorks()) return reply.code(503).send(notLookedAt('engineFailed'))
      const gate = isStream(request) ? frames : pictures
      if (!(await gate.enter(reply))) return tooMany(reply, 'busy')
    },
    handler: async (request, reply) => {
      const photo = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      const stream = isStream(request)
      try {
        const look = () => passage.look(photo, { stream })
        return inWords(disclose(stream ? await queue.frame(look) : await queue.picture(look), request.holdsKey ?? false), request)
      } catch (error) {
        if (error instanceof FrameDropped) return tooMany(reply, error.why)
        throw error
      }
    },
  })
}

const isStream = ({ query }: FastifyRequest) => (query as Record<string, unknown>).stream === '1'

function tooMany(reply: FastifyReply, why: string): FastifyReply {
  return reply.code(429).header('retry-after', '1').send(notLookedAt(why))
}

function inWords(verdict: DisclosedVerdict, request: FastifyRequest) {
  const message = reasonInWords(TEXTS[languageOf(request.headers['accept-language'])], verdict)
  return { ...verdict, message }
}
