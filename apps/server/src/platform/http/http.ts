/**
 * Mounts calls. The order of checks is the same for every call: path, limit of the address, token (of a session or a link), permission, body, record; so an answer
 * never tells more than the caller may know.
 */
import type { Server as SecureServer } from 'node:https'
import { gunzipSync } from 'node:zlib'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { safeParse } from 'zod'
import { JSON_BODY_MAX, LINK_TOKEN_HEADER, isWrite, languageOf, type Call, type Envelope, type Language } from '@gatehouse/contract'
import { mayCall, needsSecondFactor } from '@gatehouse/contract/policy'
import { createAddressLimit } from './address-limit.ts'
import type { AnswerCheck } from './answer-check.ts'
import type { CallRequest, FileAnswer, MountedCall, Platform } from '../context.ts'
import { limitedSession } from '../session/device-limits.ts'
import { EncodedAnswer } from './encoded.ts'
import { answerOf, envelope } from './error-answer.ts'
import { parseJson } from './json.ts'
import { createMaskedSearches } from '../session/masked-searches.ts'
import { maskerOf } from '../session/masking.ts'
import { createMinimumRate, type Ticks } from './minimum-rate.ts'
import { nulPath } from './nul.ts'
import { RangedFile } from './ranged-file.ts'
import { formerNamesAdder } from './request-keys.ts'
import { InvalidRequest, PasswordNeeded, SecondFactorNeeded, TooManyTries } from './refusal.ts'
import { checkRequest } from './request-check.ts'
import { securityHeaders } from './security-headers.ts'
import { createSentBack } from './sent-back.ts'
import type { Authenticator, ClientCredentials, SignedInDevice, Session } from '../session/session.ts'
import { businessText, httpText, loginText } from '../texts.ts'
import { LEAST_VERSION, keepCurrent } from '../transport/certificate.ts'
import { servePlainRequests } from '../transport/plain-requests.ts'
import { createUploadShares, type MeasureSpace } from '../storage/upload-share.ts'
import { openUploads, type UploadedForm } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
    device: SignedInDevice | null
    client: ClientCredentials | null
    /** What the token of a link opens, of a call that asks for one. */
    link: unknown
  }
}

export interface HttpOptions {
  platform: Platform
  authenticator: Authenticator
  calls: readonly MountedCall[]
  /** Minutes east of UTC of the session's park now, else of the installation. */
  offsetOf(session: Session | null): number
  /** Seconds by which slow request bodies are judged. */
  ticks?: Ticks | undefined
  /** Room of the disk; the real one unless told. */
  space?: MeasureSpace | undefined
}

/** A handshake that takes longer is none. */
const HANDSHAKE_MS = 10_000
/** Seconds a browser remembers that this host speaks https: half a year. */
const ENCRYPTION_REMEMBERED = 182 * 86_400
/** A device gives up a connection that was idle for so long. */
const DEVICE_IDLE_SECONDS = 10

/** Credentials of `Authorization: Basic`. */
function basicOf(request: FastifyRequest): ClientCredentials | null {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic' || value === undefined) return null
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const credentials = { id: decodeURIComponentSafely(text.slice(0, colon)), secret: decodeURIComponentSafely(text.slice(colon + 1)) }
  return nulPath(credentials) === null ? credentials : null
}

/** RFC 6749 form-encodes client credentials; plain ones pass unchanged. */
function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Of `Authorization: Bearer`. */
function tokenOf(request: FastifyRequest): string | null {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' && value !== undefined ? value : null
}

function bearerOf(call: Call, request: FastifyRequest): string | null {
  const token = tokenOf(request)
  if (token !== null) return token
  const query = (request.query as { st?: unknown }).st
  // Addresses end up in logs and histories: a token in one must not be able to change anything (AMBIGUITIES 47).
  return request.method === 'GET' && typeof query === 'string' && !isWrite(call) ? query : null
}

/** `bytes=from-to` of a Range header; null where there is none that can be served, so that everything is. */
function rangeOf(request: FastifyRequest, { etag, size }: { etag: string; size: number }): { from: number; to: number } | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const condition = request.headers['if-range']
  if (match === null || (condition !== undefined && condition !== etag)) return null
  const from = Number(match[1])
  const to = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return from <= to ? { from, to } : null
}

/** Sends an answer that is encoded already; whoever was broken off goes on by Range. */
function sendEncoded(platform: Platform, call: Call, answer: EncodedAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (platform.config.checkAnswers && call.data !== undefined) {
    const result = safeParse(call.data, (JSON.parse(gunzipSync(answer.bytes).toString()) as Envelope).data)
    if (!result.success) throw new Error(`${call.method} ${call.url} answers outside its contract: ${JSON.stringify(result.error.issues)}`)
  }
  reply.type('application/json; charset=utf-8').headers({ etag: answer.etag, vary: 'Accept-Encoding', 'accept-ranges': 'bytes' })
  if (request.headers['if-none-match'] === answer.etag) return reply.status(304).send()
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(gunzipSync(answer.bytes))
  reply.header('content-encoding', 'gzip')
  const range = rangeOf(request, { etag: answer.etag, size: answer.bytes.length })
  if (range === null) return reply.send(answer.bytes)
  return reply
    .status(206)
    .header('content-range', `bytes ${range.from}-${range.to}/${answer.bytes.length}`)
    .send(answer.bytes.subarray(range.from, range.to + 1))
}

/** Sends a file, or the part of it that is asked for. */
function sendRanged(file: RangedFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: file.etag, 'accept-ranges': 'bytes' })
  const range = rangeOf(request, file)
  if (range === null) return reply.header('content-length', file.size).send(file.read(0, file.size))
  const { from, to } = range
  return reply
    .status(206)
    .headers({ 'content-range': `bytes ${from}-${to}/${file.size}`, 'content-length': to - from + 1 })
    .send(file.read(from, to + 1))
}

/** Ids a row goes by: its own, of the person or user it is about, and of whom of the watch list it shows. */
const idsOf = (row: unknown): string[] => {
  const { id, personId, userId, watchList } = (row ?? {}) as Record<'id' | 'personId' | 'userId' | 'watchList', unknown>
  const shown = (watchList as { personId?: unknown } | null | undefined)?.personId
  return [...new Set([id, personId, userId, shown].filter((one) => typeof one === 'string' || typeof one === 'number').map(String))]
}

/** Whom an answer tells of: the rows of a list, else the one that was asked for. */
function subjectsOf(data: unknown, { params, query }: { params: unknown; query: unknown }): string[] {
  const { content } = (data ?? {}) as { content?: unknown }
  const rows = Array.isArray(content) ? content : Array.isArray(data) ? data : null
  if (rows !== null) return [...new Set(rows.slice(0, 100).flatMap(idsOf))]
  const own = idsOf(data)
  return own.length > 0 ? own : [...idsOf(params), ...idsOf(query)]
}

/** The token of the link a page was opened by. @throws InvalidRequest where there is none */
function linkTokenOf({ headers }: FastifyRequest): string {
  const token = headers[LINK_TOKEN_HEADER.toLowerCase()]
  if (typeof token !== 'string' || token === '') throw new InvalidRequest([{ path: 'token', rule: 'required' }])
  return token
}

/** @throws Error for a call that takes a file from anybody, or asks for the token of a link and does not look at it */
function assertGuarded({ call, open }: MountedCall): void {
  const isOpenToAll = call.permission === 'public' && call.consumes === 'multipart' && call.linkToken !== true
  if (isOpenToAll || (call.linkToken === true) !== (open !== undefined))
    throw new Error(`${call.method} ${call.url} must check the token of a link before its body is read`)
}

/** What looks at answers before they leave, where they are checked: a module of its own, which a server that does not check never loads. */
async function answerCheckOf({ config }: Platform): Promise<AnswerCheck | null> {
  return config.checkAnswers ? (await import('./answer-check.ts')).checkAnswer : null
}

/** A server with every call mounted, ready to listen. */
export async function createHttp({ platform, authenticator, calls, offsetOf, ticks, space }: HttpOptions): Promise<FastifyInstance> {
  const { certificate } = platform.transport
  const pair = certificate?.current()
  const app = fastify({
    ...(pair !== undefined && {
      https: { cert: pair.certificate, key: pair.key, minVersion: LEAST_VERSION, handshakeTimeout: HANDSHAKE_MS },
    }),
    loggerInstance: platform.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_MAX,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 500 },
    // The largest upload, 300 MB, comes over 5 Mbit/s within it.
    requestTimeout: 600_000,
    // A path that cannot be decoded, or is longer than any of ours, names nothing.
    frameworkErrors: (_error, request, reply) => {
      void (reply as unknown as FastifyReply).status(404).send(envelope(404, httpText(languageOf(request.headers['accept-language']), 404)))
    },
    forceCloseConnections: true,
    trustProxy: platform.config.trustProxy,
  }) as unknown as FastifyInstance
  if (certificate !== null) {
    const secure = app.server as unknown as SecureServer
    keepCurrent(secure, certificate)
    const endPlain = servePlainRequests(secure, (request, response) => app.routing(request, response))
    app.addHook('preClose', async () => endPlain())
  }
  /** A browser that came over https once does not come otherwise; with a certificate no authority knows it would never get past its warning again. */
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

  const languageOfRequest = (request: FastifyRequest): Language => languageOf(request.headers['accept-language'])
  /** Programs say `*`, or nothing. */
  const statesLanguage = ({ headers }: FastifyRequest): boolean => /^\s*[a-z]/i.test(headers['accept-language'] ?? '')

  const minimumRate = createMinimumRate(ticks)
  app.addHook('onRequest', async (request) => minimumRate.watch(request.raw))
  app.addHook('onClose', async () => minimumRate.stop())
  app.addHook('onSend', async (request, reply) => {
    reply.header('X-Timezone-Offset', String(offsetOf(request.session ?? null)))
    if (!reply.hasHeader('cache-control')) reply.header('Cache-Control', 'no-store')
    if (remembersEncryption && request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${ENCRYPTION_REMEMBERED}`)
  })
  app.setErrorHandler((error, request, reply) => {
    const language = languageOfRequest(request)
    const answer = answerOf(error, language)
    // A file that could not be read has said already what it was to be.
    reply.removeHeader('Content-Disposition')
    reply.type('application/json; charset=utf-8')
    // What does not arrive is not waited for.
    if (answer?.status === 408) reply.header('connection', 'close')
    if (error instanceof TooManyTries) reply.header('Retry-After', String(error.retryAfter))
    if (answer !== null) return reply.status(answer.status).send(answer.body)
    platform.log.error({ err: error, method: request.method, url: request.routeOptions.url }, 'a call failed')
    return reply.status(500).send(envelope(500, httpText(language, 500)))
  })
  app.setNotFoundHandler((request, reply) => reply.status(404).send(envelope(404, httpText(languageOfRequest(request), 404))))

  async function admit(call: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const language = languageOfRequest(request)
    if (call.permission === 'public') return
    if (call.permission === 'basic') {
      const credentials = basicOf(request)
      if (credentials !== null && (await authenticator.client(credentials.id, credentials.secret))) {
        request.client = credentials
        return
      }
      await reply
        .status(401)
        .header('WWW-Authenticate', 'Basic realm="gatehouse"')
        .send({ ...envelope(100412, businessText(language, 100412)), error: 'invalid_client' })
      return
    }
    if (call.permission === 'device') {
      const [credentials, token] = [basicOf(request), tokenOf(request)]
      if (token !== null) request.device = await authenticator.deviceToken(token)
      else request.device = credentials === null ? null : await authenticator.device(credentials.id, credentials.secret)
      if (request.device === null) await reply.status(401).send(envelope(100412, businessText(language, 100412)))
      return
    }
    const token = bearerOf(call, request)
    const found = token === null ? 'unknown' : await authenticator.session(token)
    if (found === 'disabled') {
      // 901 is a code of the body, never a status (AMBIGUITIES 8).
      await reply.status(403).send(envelope(901, loginText(language, 901)))
      return
    }
    if (typeof found === 'string') {
      const code = found === 'expired' ? 40120 : 100412
      await reply.status(401).send(envelope(code, businessText(language, code)))
      return
    }
    request.session = found
    if (needsSecondFactor(found, call)) throw new SecondFactorNeeded()
    const may = mayCall(found, call) && (call.freshPassword !== true || found.kind === 'user')
    if (!may) await reply.status(403).send(envelope(100510, businessText(language, 100510)))
    else if (call.freshPassword !== undefined && found.kind === 'user' && !(await authenticator.isConfirmed(found)))
      throw new PasswordNeeded()
  }

  const checkAnswer = await answerCheckOf(platform)

  const maskedSearches = createMaskedSearches(platform.clock)
  const admitUpload = createUploadShares(platform.config.dataDir, platform.db, platform.clock, space)
  const uploads = await openUploads(platform.config.dataDir, admitUpload)

  for (const mounted of calls) {
    const { call, handle } = mounted
    assertGuarded(mounted)
    const countAddress = call.perAddress === undefined ? null : createAddressLimit(platform.clock, call.perAddress)
    const masker = maskerOf(call.data)
    const addFormerNames = formerNamesAdder(call.data)
    const sentBack = createSentBack(call, calls)
    const readsPersonal = (masker !== null || call.readsPersonal === true) && !isWrite(call)
    async function respond(request: FastifyRequest, reply: FastifyReply, { file, fields }: UploadedForm): Promise<unknown> {
      const session = request.session === null ? null : limitedSession(request.session, call)
      const abort = new AbortController()
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) abort.abort()
      })
      const asked = {
        file,
        link: request.link,
        language: languageOfRequest(request),
        statedLanguage: statesLanguage(request) ? languageOfRequest(request) : null,
        ip: request.ip,
        host: request.host,
        origin: `${request.protocol}://${request.host}`,
        agent: (request.headers['user-agent'] ?? '').slice(0, 200),
        client: request.client,
        session,
        scope: session?.scope ?? (request.device === null ? null : { parkId: request.device.parkId }),
        device: request.device,
        signal: abort.signal,
      }
      const odd = await sentBack(fields, asked as unknown as CallRequest)
      const parts = checkRequest(call, { params: request.params, query: request.query, body: fields }, odd)
      const input = { ...asked, ...parts } as unknown as CallRequest
      const { ip } = request
      const { data, searched } = await maskedSearches.during(
        call,
        session,
        parts,
        () => platform.audit.during(call, session, ip, () => handle(input)),
        () => {
          // Whose the value is, the refusal does not say.
          if (session !== null) platform.audit.read(call, session, ip, [], true)
        },
      )
      if (data instanceof EncodedAnswer) return sendEncoded(platform, call, data, request, reply)
      if (call.produces === 'file') {
        const answer = data as FileAnswer
        if (session !== null && readsPersonal && answer.noted !== true) platform.audit.read(call, session, ip, subjectsOf(null, parts))
        if (answer.filename !== undefined)
          reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(answer.filename)}`)
        reply.type(answer.contentType)
        return answer.bytes instanceof RangedFile ? sendRanged(answer.bytes, request, reply) : reply.send(answer.bytes)
      }
      if (platform.config.checkAnswers && call.data !== undefined) {
        const result = safeParse(call.data, data)
        if (!result.success)
          throw new Error(`${call.method} ${call.url} answers outside its contract: ${JSON.stringify(result.error.issues)}`)
      }
      if (session !== null && readsPersonal) platform.audit.read(call, session, ip, subjectsOf(data, parts), searched)
      const masked = masker !== null && session?.masking === true ? masker(data) : data
      const shown = addFormerNames === null ? masked : addFormerNames(masked)
      return call.produces === 'flat' ? { code: 0, message: '', ...(shown as object) } : envelope(0, '', shown)
    }
    app.route({
      method: call.method,
      url: call.url.replace(/\{(\w+)\}/g, ':$1'),
      // A form is read within limits of its own; what else comes in its place is small.
      bodyLimit: call.consumes === 'multipart' ? JSON_BODY_MAX : (call.bodyLimit ?? JSON_BODY_MAX),
      async onRequest(request, reply) {
        // A device that comes back after its network was gone must not wait on connections that died with it.
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
