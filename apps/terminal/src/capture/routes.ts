/** The camera over HTTP: pictures that are handed in, and its state for the page. */
import type { FastifyInstance } from 'fastify'
import { FACE_FILE_MAX } from '@gatehouse/contract/limits'
import { FacePoolBusy, PhotoRefusal } from '@gatehouse/face-engine'
import { createUploadGate } from '../http/uploads.ts'
import { FrameDropped, type FrameQueue } from '../passage/camera.ts'
import type { Capture } from './capture.ts'
import type { CaptureCameraState } from './options.ts'
import type { Stream } from './stream.ts'

export interface CaptureRoutesParts {
  queue: FrameQueue
  stream: Stream
  engineWorks: () => boolean
  /** Return the captures of a picture. @throws PhotoRefusal */
  capturesOf: (picture: Uint8Array) => Promise<Capture[]>
  /** Store a capture. @throws when it cannot be written */
  take: (capture: Capture) => void
  state: () => CaptureCameraState
}

/** Answer to a picture. `reason`: the business code of the catalogue, or a word, if it was not taken. */
const answerOf = (captures: number, reason: string | number | null) => ({ captures, reason })

/** Serve `GET /state` and `POST /pictures`; with `?stream=1` a picture is one of a stream, in which faces are followed. */
export function serveCaptureCalls(server: FastifyInstance, parts: CaptureRoutesParts): void {
  const { queue, stream, engineWorks, capturesOf, take, state } = parts
  const gate = createUploadGate(4, 60)

  server.get('/state', { config: { reach: 'screen' } }, async (_request, reply) => reply.header('cache-control', 'no-store').send(state()))

  server.post('/pictures', {
    bodyLimit: FACE_FILE_MAX,
    config: { reach: 'screen', refusal: (_request, reason) => answerOf(0, reason) },
    onRequest: async (_request, reply) => {
      if (!engineWorks()) return reply.code(503).header('retry-after', '1').send(answerOf(0, 'engineNotReady'))
      if (!(await gate.enter(reply))) return reply.code(429).header('retry-after', '1').send(answerOf(0, 'busy'))
    },
    handler: async (request, reply) => {
      const picture = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      if ((request.query as Record<string, unknown>)['stream'] === '1') {
        stream.take(picture)
        return answerOf(0, null)
      }
      try {
        const captures = await queue.picture(() => capturesOf(picture))
        for (const capture of captures) take(capture)
        return answerOf(captures.length, null)
      } catch (error) {
        if (error instanceof PhotoRefusal) return answerOf(0, error.code)
        if (error instanceof FrameDropped || error instanceof FacePoolBusy)
          return reply.code(429).header('retry-after', '1').send(answerOf(0, 'busy'))
        throw error
      }
    },
  })
}
