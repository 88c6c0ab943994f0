/**
 * Mounts calls. The order of checks is the same for every call: path, limit of the address, token (of a session or a link), permission,
 * body, record. So an answer never reveals more than the caller may know.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JSON_BODY_MAX } from '@gatehouse/contract'
import { createAddressLimit } from './address-limit.ts'
import { assertGuarded, createAdmission, linkTokenOf } from './admission.ts'
import type { AnswerCheck } from './answer-check.ts'
import { createApplication, type ApplicationOptions } from './application.ts'
import type { MountedCall, Platform } from '../context.ts'
import { envelope } from './error-answer.ts'
import { createResponder, languageOfRequest } from './responding.ts'
import { createMaskedSearches } from '../session/masked-searches.ts'
import type { Authenticator } from '../session/session.ts'
import { httpText } from '../texts.ts'
import { createUploadShares, type MeasureSpace } from '../storage/upload-share.ts'
import { openUploads } from './uploads.ts'

export interface HttpOptions extends ApplicationOptions {
  authenticator: Authenticator
  calls: readonly MountedCall[]
  /** Measures free disk space; the real space by default. */
  space?: MeasureSpace | undefined
}

/** Seconds after which a device closes an idle connection. */
const DEVICE_IDLE_SECONDS = 10

/** Return the check of outgoing answers where it is on. It is a module of its own, so that a server that does not check never loads it. */
async function answerCheckOf({ config }: Platform): Promise<AnswerCheck | null> {
  return config.checkAnswers ? (await import('./answer-check.ts')).checkAnswer : null
}

/** Return a server with every call mounted, ready to listen. */
export async function createHttp({ platform, authenticator, calls, space, ...options }: HttpOptions): Promise<FastifyInstance> {
  const app = await createApplication({ platform, ...options })
  const admit = createAdmission(authenticator)
  const checkAnswer = await answerCheckOf(platform)
  const maskedSearches = createMaskedSearches(platform.clock)
  const admitUpload = createUploadShares(platform.config.dataDir, platform.db, platform.clock, space)
  const uploads = await openUploads(platform.config.dataDir, admitUpload)

  for (const mounted of calls) {
    const { call } = mounted
    assertGuarded(mounted)
    const countAddress = call.perAddress === undefined ? null : createAddressLimit(platform.clock, call.perAddress)
    const respond = createResponder(mounted, { platform, calls, maskedSearches })
    app.route({
      method: call.method,
      url: call.url.replace(/\{(\w+)\}/g, ':$1'),
      // Forms have limits of their own; other content sent instead of one is small.
      bodyLimit: call.consumes === 'multipart' ? JSON_BODY_MAX : (call.bodyLimit ?? JSON_BODY_MAX),
      async onRequest(request, reply) {
        // A device that returns after a network failure must not wait on connections that died with it.
        if (call.service === 'device') reply.headers({ connection: 'keep-alive', 'keep-alive': `timeout=${DEVICE_IDLE_SECONDS}` })
        countAddress?.(request.ip)
        await admit(call, request, reply)
        if (mounted.open !== undefined) request.link = await mounted.open(linkTokenOf(request), request.ip)
      },
      ...(checkAnswer !== null && {
        async onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
          try {
            checkAnswer(call, reply, payload)
            return payload
          } catch (error) {
            platform.log.error({ err: error, method: request.method, url: call.url }, 'an answer is not what is described')
            reply.removeHeader('content-encoding').status(500)
            return JSON.stringify(envelope(500, httpText(languageOfRequest(request), 500)))
          }
        },
      }),
      handler: (request, reply) =>
        call.consumes === 'multipart'
          ? uploads.during(call, request, (form) => respond(request, reply, form))
          : respond(request, reply, { file: null, fields: request.body }),
    })
  }
  return app
}
