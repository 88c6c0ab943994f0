/** The HTTP application before any call is mounted: TLS, parsers, headers, and answers to errors. */
import type { Server as SecureServer } from 'node:https'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify'
import { JSON_BODY_MAX, languageOf } from '@gatehouse/contract'
import type { Platform } from '../context.ts'
import type { Session } from '../session/session.ts'
import { httpText } from '../texts.ts'
import { LEAST_VERSION, keepCurrent } from '../transport/certificate.ts'
import { servePlainRequests } from '../transport/plain-requests.ts'
import { answerOf, envelope } from './error-answer.ts'
import { parseJson } from './json.ts'
import { createMinimumRate, type Ticks } from './minimum-rate.ts'
import { InvalidRequest, TooManyTries } from './refusal.ts'
import { securityHeaders } from './security-headers.ts'

/** Milliseconds after which a TLS handshake is given up. */
const HANDSHAKE_MS = 10_000
/** Seconds a browser remembers that this host speaks https: half a year. */
const ENCRYPTION_REMEMBERED = 182 * 86_400

export interface ApplicationOptions {
  platform: Platform
  /** Minutes east of UTC of the session's park now, else of the installation. */
  offsetOf(session: Session | null): number
  /** The timer by which slow request bodies are measured. */
  ticks?: Ticks | undefined
}

/** Create an application with the certificate of the server, where it has one. */
function createInstance(platform: Platform): FastifyInstance {
  const { certificate } = platform.transport
  const pair = certificate?.current()
  const app = fastify({
    ...(pair !== undefined && {
      https: { cert: pair.certificate, key: pair.key, minVersion: LEAST_VERSION, handshakeTimeout: HANDSHAKE_MS },
    }),
    // Without the assertion the type of the instance depends on our logger, and plugins do not accept it.
    loggerInstance: platform.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_MAX,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 500 },
    // Long enough for the largest upload, 300 MB, at 5 Mbit/s.
    requestTimeout: 600_000,
    // No call has a path that cannot be decoded or is longer than the limit.
    frameworkErrors: (_error, request, reply) => {
      void (reply as FastifyReply).status(404).send(envelope(404, httpText(languageOf(request.headers['accept-language']), 404)))
    },
    forceCloseConnections: true,
    trustProxy: platform.config.trustProxy,
  })
  if (certificate !== null) {
    const secure = app.server as SecureServer
    keepCurrent(secure, certificate)
    const endPlain = servePlainRequests(secure, (request, response) => app.routing(request, response))
    app.addHook('preClose', async () => endPlain())
  }
  return app
}

/** Read JSON and forms. */
async function addParsers(app: FastifyInstance): Promise<void> {
  await app.register(formbody)
  await app.register(multipart, { throwFileSizeLimit: true })
  // An empty body with a JSON content type is an absent body, not an error (DELETE calls of browsers).
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, parseJson(text as string))
    } catch {
      done(new InvalidRequest([{ path: '', rule: 'malformed' }]), undefined)
    }
  })
}

/** Set the answers to errors and to unknown paths. */
function setErrorAnswers(app: FastifyInstance, platform: Platform): void {
  app.setErrorHandler((error, request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    const answer = answerOf(error, language)
    // The header of a file that could not be read is already set.
    reply.removeHeader('Content-Disposition')
    reply.type('application/json; charset=utf-8')
    // The rest of the body does not arrive, so the connection cannot be reused.
    if (answer?.status === 408) reply.header('connection', 'close')
    if (error instanceof TooManyTries) reply.header('Retry-After', String(error.retryAfter))
    if (answer !== null) return reply.status(answer.status).send(answer.body)
    platform.log.error({ err: error, method: request.method, url: request.routeOptions.url }, 'a call failed')
    return reply.status(500).send(envelope(500, httpText(language, 500)))
  })
  app.setNotFoundHandler((request, reply) =>
    reply.status(404).send(envelope(404, httpText(languageOf(request.headers['accept-language']), 404))),
  )
}

/** Return an application that calls can be mounted on. */
export async function createApplication({ platform, offsetOf, ticks }: ApplicationOptions): Promise<FastifyInstance> {
  const app = createInstance(platform)
  /**
   * Whether browsers are told to use https only from now on. With a certificate that no authority knows, a browser could then never get
   * past its warning again.
   */
  const remembersEncryption = platform.config.tls?.kind !== 'self'

  app.decorateRequest('session', null)
  app.decorateRequest('device', null)
  app.decorateRequest('client', null)
  app.decorateRequest('link', null)
  const protection = securityHeaders()
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(protection)
    next()
  })
  await addParsers(app)
  const minimumRate = createMinimumRate(ticks)
  app.addHook('onRequest', async (request) => minimumRate.watch(request.raw))
  app.addHook('onClose', async () => minimumRate.stop())
  app.addHook('onSend', async (request, reply) => {
    reply.header('X-Timezone-Offset', String(offsetOf(request.session ?? null)))
    if (!reply.hasHeader('cache-control')) reply.header('Cache-Control', 'no-store')
    if (remembersEncryption && request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${ENCRYPTION_REMEMBERED}`)
  })
  setErrorAnswers(app, platform)
  return app
}
