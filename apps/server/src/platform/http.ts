/**
 * Mounts calls. The order of checks is the same for every call: path, token, permission, body, record; so an answer
 * never tells more than the caller may know.
 */
import { gunzipSync } from 'node:zlib'
import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import multipart, { type MultipartFile } from '@fastify/multipart'
import fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { safeParse } from 'zod'
import { JSON_BODY_MAX, isWrite, languageOf, type Call, type Envelope, type Language } from '@gatehouse/contract'
import type { CallRequest, FileAnswer, MountedCall, Platform, Upload } from './context.ts'
import { EncodedAnswer } from './encoded.ts'
import { answerOf, envelope } from './error-answer.ts'
import { createLine } from './line.ts'
import { maskerOf } from './masking.ts'
import { mayCall } from './policy.ts'
import { RangedFile } from './ranged-file.ts'
import { openReceivedFiles, type ReceivedFile } from './received-file.ts'
import { InvalidRequest, refuse } from './refusal.ts'
import { checkRequest } from './request-check.ts'
import type { Authenticator, ClientCredentials, DevicePrincipal, Session } from './session.ts'
import { businessText, httpText, loginText } from './texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
    device: DevicePrincipal | null
    client: ClientCredentials | null
    /** Its part on disk, of a call that streams. */
    received: ReceivedFile | null
  }
}

export interface HttpOptions {
  platform: Platform
  authenticator: Authenticator
  calls: readonly MountedCall[]
  /** Minutes east of UTC of the session's park now, else of the installation. */
  offsetOf(session: Session | null): number
}

/** Bytes of uploads in memory at once: whoever comes then waits with his bytes unread, however many come. */
const UPLOADS_ROOM = 96 * 1024 * 1024
const UPLOADS_WAITING = 2000
/** Uploads that go to the disk: so many at a time, so many wait. */
const RECEIVED_AT_ONCE = 4
const RECEIVED_WAITING = 200

/** A device gives up a connection that was idle for so long. */
const DEVICE_IDLE_SECONDS = 10

/** Credentials of `Authorization: Basic`. */
function basicOf(request: FastifyRequest): ClientCredentials | null {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic' || value === undefined) return null
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? null : { id: decodeURIComponentSafely(text.slice(0, colon)), secret: decodeURIComponentSafely(text.slice(colon + 1)) }
}

/** RFC 6749 form-encodes client credentials; plain ones pass unchanged. */
function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function bearerOf(call: Call, request: FastifyRequest): string | null {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && value !== undefined) return value
  const query = (request.query as { st?: unknown }).st
  // Addresses end up in logs and histories: a token in one must not be able to change anything (AMBIGUITIES 47).
  return request.method === 'GET' && typeof query === 'string' && !isWrite(call) ? query : null
}

/** Bytes a body takes: what it says, or all it may. */
function bodyBytes(request: FastifyRequest, limit: number): number {
  const said = Number(request.headers['content-length'])
  return Number.isSafeInteger(said) && said >= 0 ? Math.min(said, limit) : limit
}

async function uploadOf(request: FastifyRequest, limit: number): Promise<{ file: Upload | null; fields: Record<string, unknown> }> {
  if (!request.isMultipart()) return { file: null, fields: (request.body ?? {}) as Record<string, unknown> }
  let file: Upload | null = null
  const fields: Record<string, unknown> = {}
  try {
    for await (const part of request.parts({ limits: { fileSize: limit, files: 1, fields: 20, fieldSize: 10_000 } })) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer()
        if (part.fieldname === 'file') file = { bytes, filename: part.filename }
      } else fields[part.fieldname] = part.value
    }
  } catch (error) {
    // A limit that was passed says so by its status; all else is a body that cannot be read.
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error
    throw new InvalidRequest([{ path: '', rule: 'malformed' }])
  }
  return { file, fields }
}

/** The same where the part goes to the disk. @param receive writes it there */
async function receivedOf(
  request: FastifyRequest,
  limit: number,
  receive: (source: MultipartFile['file'], filename: string) => Promise<ReceivedFile>,
): Promise<{ file: ReceivedFile | null; fields: Record<string, unknown> }> {
  if (!request.isMultipart()) return { file: null, fields: (request.body ?? {}) as Record<string, unknown> }
  let file: ReceivedFile | null = null
  const fields: Record<string, unknown> = {}
  try {
    // Names of files are said in UTF-8, as browsers do.
    for await (const part of request.parts({
      limits: { fileSize: limit, files: 1, fields: 20, fieldSize: 10_000 },
      defParamCharset: 'utf8',
    } as object)) {
      if (part.type !== 'file') fields[part.fieldname] = part.value
      else if (part.fieldname === 'file') request.received = file = await receive(part.file, part.filename)
      else part.file.resume()
    }
    return { file, fields }
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error
    throw new InvalidRequest([{ path: '', rule: 'malformed' }])
  }
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

/** Ids a row goes by: its own, and of the person it is about. */
const idsOf = (row: unknown): string[] => {
  const { id, personId } = (row ?? {}) as { id?: unknown; personId?: unknown }
  return [...new Set([id, personId].filter((one) => typeof one === 'string' || typeof one === 'number').map(String))]
}

/** Whom an answer tells of: the rows of a list, else the one that was asked for. */
function subjectsOf(data: unknown, { params, query }: { params: unknown; query: unknown }): string[] {
  const { content } = (data ?? {}) as { content?: unknown }
  const rows = Array.isArray(content) ? content : Array.isArray(data) ? data : null
  if (rows !== null) return [...new Set(rows.slice(0, 100).flatMap(idsOf))]
  const own = idsOf(data)
  return own.length > 0 ? own : [...idsOf(params), ...idsOf(query)]
}

/** A server with every call mounted, ready to listen. */
export async function createHttp({ platform, authenticator, calls, offsetOf }: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
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
    trustProxy: 'loopback',
  }) as unknown as FastifyInstance

  app.decorateRequest('session', null)
  app.decorateRequest('device', null)
  app.decorateRequest('client', null)
  app.decorateRequest('received', null)
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        'default-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'media-src': ["'self'", 'blob:'],
        'style-src': ["'self'", "'unsafe-inline'"],
        'connect-src': ["'self'", 'ws:', 'wss:'],
        // On plain http in a local network an upgrade would make the console unreachable.
        'upgrade-insecure-requests': null,
      },
    },
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  await app.register(formbody)
  await app.register(multipart, { throwFileSizeLimit: true })
  // An empty body with a JSON content type is an absent body, not an error (DELETE calls of browsers).
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new InvalidRequest([{ path: '', rule: 'malformed' }]), undefined)
    }
  })

  const languageOfRequest = (request: FastifyRequest): Language => languageOf(request.headers['accept-language'])

  app.addHook('onSend', async (request, reply) => {
    reply.header('X-Timezone-Offset', String(offsetOf(request.session ?? null)))
    if (!reply.hasHeader('cache-control')) reply.header('Cache-Control', 'no-store')
  })
  app.setErrorHandler((error, request, reply) => {
    const language = languageOfRequest(request)
    const answer = answerOf(error, language)
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
      const credentials = basicOf(request)
      request.device = credentials === null ? null : await authenticator.device(credentials.id, credentials.secret)
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
    if (!mayCall(found, call)) await reply.status(403).send(envelope(100510, businessText(language, 100510)))
  }

  const uploads = createLine(UPLOADS_ROOM, UPLOADS_WAITING)
  const received = openReceivedFiles(platform.config.dataDir)
  const receiving = createLine(RECEIVED_AT_ONCE, RECEIVED_WAITING)
  await received.sweep()

  type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

  /** Lets uploads wait for room before any of their bytes is read. */
  const inLine = (call: Call, limit: number, answer: Handle): Handle =>
    call.consumes !== 'multipart'
      ? answer
      : async (request, reply) => {
          const entering = call.streams === true ? receiving.enter() : uploads.enter(bodyBytes(request, limit))
          const leave = await entering.catch(() => refuse(900000))
          return answer(request, reply).finally(async () => {
            leave()
            await request.received?.remove()
          })
        }

  for (const { call, handle } of calls) {
    const masker = maskerOf(call.data)
    const readsPersonal = (masker !== null || call.readsPersonal === true) && !isWrite(call)
    const limit = call.bodyLimit ?? JSON_BODY_MAX
    app.route({
      method: call.method,
      url: call.url.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: call.consumes === 'multipart' ? limit + 64 * 1024 : limit,
      onRequest(request, reply) {
        // A device that comes back after its network was gone must not wait on connections that died with it.
        if (call.service === 'device') reply.headers({ connection: 'keep-alive', 'keep-alive': `timeout=${DEVICE_IDLE_SECONDS}` })
        return admit(call, request, reply)
      },
      handler: inLine(call, limit, async (request, reply) => {
        const upload =
          call.consumes !== 'multipart'
            ? null
            : call.streams === true
              ? await receivedOf(request, limit, received.receive)
              : await uploadOf(request, limit)
        const parts = checkRequest(call, { params: request.params, query: request.query, body: upload?.fields ?? request.body })
        const abort = new AbortController()
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) abort.abort()
        })
        const input = {
          ...parts,
          file: upload?.file ?? null,
          language: languageOfRequest(request),
          ip: request.ip,
          host: request.host,
          agent: (request.headers['user-agent'] ?? '').slice(0, 200),
          client: request.client,
          session: request.session,
          scope: request.session?.scope ?? (request.device === null ? null : { parkId: request.device.parkId }),
          device: request.device,
          signal: abort.signal,
        } as unknown as CallRequest
        const data = await platform.audit.during(call, request.session, request.ip, () => handle(input))
        if (data instanceof EncodedAnswer) return sendEncoded(platform, call, data, request, reply)
        if (call.produces === 'file') {
          const answer = data as FileAnswer
          if (request.session !== null && readsPersonal && answer.noted !== true)
            platform.audit.read(call, request.session, request.ip, subjectsOf(null, parts))
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
        if (request.session !== null && readsPersonal) platform.audit.read(call, request.session, request.ip, subjectsOf(data, parts))
        const shown = masker !== null && request.session?.masking === true ? masker(data) : data
        return call.produces === 'flat' ? { code: 0, message: '', ...(shown as object) } : envelope(0, '', shown)
      }),
    })
  }
  return app
}
