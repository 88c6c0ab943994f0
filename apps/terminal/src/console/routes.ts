/** Calls of the console over HTTP: which callers are admitted and logged in, and one envelope for all answers. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { deviceConsoleCode, deviceConsoleCodes, languageOf, type Language } from '@gatehouse/contract'
import type { CallerRefusal } from '../http/callers.ts'
import { ConsoleDone, ConsoleFile, ConsoleRefusal } from './answers.ts'
import type { ConsoleCall, ConsoleCalls, ConsoleRequest } from './call.ts'
import type { Sessions } from './sessions.ts'
import { codeInWords, fieldsInWords } from './texts.ts'

const COOKIE = 'gatehouse_console'
/** A header that a form, or a page of another site, cannot send without a CORS preflight request. */
const OWN_HEADER = 'x-gatehouse-console'
const BODY = 65_536

export interface RouteOptions {
  sessions: Sessions
  upgrading: () => boolean
  log: (sentence: string) => void
}

/** Serve calls at `/console/api/…`. */
export function serveConsoleCalls(server: FastifyInstance, calls: ConsoleCalls, { sessions, upgrading, log }: RouteOptions): void {
  for (const [name, call] of Object.entries(calls)) {
    const [method = '', path = ''] = name.split(' ')
    server.route({
      method: method as HTTPMethods,
      url: `/console/api/${path}`,
      bodyLimit: call.bodyLimit ?? BODY,
      config: { reach: call.onlyHere ? 'thisMachine' : 'console', refusal: notFromHere(call) },
      // Before the body is read, so that a refused caller sends none.
      onRequest: async (request, reply) => {
        if (method !== 'GET' && request.headers[OWN_HEADER] === undefined)
          return reply.code(403).send(notFromHere(call)(request, 'foreignPage'))
        const refusal = refusalOf(call, request)
        if (refusal)
          return reply
            .code(refusal.code === deviceConsoleCode.notLoggedIn ? 401 : 200)
            .send(envelope(languageOf(request.headers['accept-language']), refusal))
      },
      handler: (request, reply) => answer(call, request, reply),
    })
  }

  function refusalOf(call: ConsoleCall, request: FastifyRequest): ConsoleRefusal | null {
    const token = cookieOf(request)
    if (!call.open && !sessions.alive(token)) return new ConsoleRefusal('notLoggedIn')
    if (upgrading() && !call.whileUpgrading) return new ConsoleRefusal('upgrading')
    return null
  }

  async function answer(call: ConsoleCall, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const consoleRequest = requestOf(request, reply)
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    try {
      const result = await call.run(consoleRequest)
      if (result instanceof ConsoleFile) return sendFile(reply, result)
      return reply.send(envelope(consoleRequest.language, result instanceof ConsoleDone ? result : new ConsoleDone('success', result)))
    } catch (error) {
      if (error instanceof ConsoleRefusal) return reply.send(envelope(consoleRequest.language, error))
      log(`A call of the console failed: ${error instanceof Error ? error.message : String(error)}`)
      return reply.code(500).send(envelope(consoleRequest.language, new ConsoleRefusal('otherError')))
    }
  }
}

/** Answer a refused caller. */
const notFromHere = (call: ConsoleCall) => (request: FastifyRequest, reason: CallerRefusal) =>
  envelope(
    languageOf(request.headers['accept-language']),
    new ConsoleRefusal('otherError', { why: { key: reason === 'unknownHost' ? reason : call.onlyHere ? 'onlyHere' : 'notFromHere' } }),
  )

function requestOf(request: FastifyRequest, reply: FastifyReply): ConsoleRequest {
  return {
    language: languageOf(request.headers['accept-language']),
    values: { ...(request.query as Record<string, string>), ...(request.params as Record<string, string>) },
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
    address: request.socket.remoteAddress ?? '',
    session: cookieOf(request) ?? null,
    remember: (token) =>
      void reply.header(
        'set-cookie',
        `${COOKIE}=${token ?? ''}; Path=/console; HttpOnly; SameSite=Strict${token === null ? '; Max-Age=0' : ''}`,
      ),
    onSent: (listener) => void reply.raw.once('close', listener),
  }
}

/** Return the token of the session; a cookie without a value counts as absent. */
const cookieOf = ({ headers }: FastifyRequest): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((part) => part.trim().split('='))
    .find(([name]) => name === COOKIE)?.[1] || undefined

function envelope(language: Language, outcome: ConsoleDone | ConsoleRefusal) {
  const { code } = outcome
  if (outcome instanceof ConsoleDone)
    return { code, message: codeInWords(language, code, null), ...(outcome.data !== undefined && { data: outcome.data }) }
  const fields = fieldsInWords(language, outcome.fields)
  return {
    code,
    message: codeInWords(language, code, outcome.why),
    ...(outcome.fields.length > 0 && { fields }),
    ...('blocking' in deviceConsoleCodes[code] && { blocking: true }),
  }
}

function sendFile(reply: FastifyReply, { bytes, type, name }: ConsoleFile): FastifyReply {
  if (name !== null) reply.header('content-disposition', `attachment; filename="${name}"`)
  return reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
