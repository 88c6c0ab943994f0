/** The terminal's HTTP server: the picture call, its state, its events and its screen. */
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { guardCallers, type CallerOptions } from './callers.ts'

export interface HttpServerOptions extends CallerOptions {
  log: (sentence: string) => void
}

/** Create a server that checks its callers. Bodies of any type arrive as bytes; errors are answered as JSON. */
export function createHttpServer({ log, ...callers }: HttpServerOptions): FastifyInstance {
  const server = Fastify({ requestTimeout: 30_000, forceCloseConnections: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  guardCallers(server, callers)
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ reason: 'notFound' }))
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) log(`A request failed: ${error.message}`)
    return reply
      .code(status)
      .send({ verdict: 'rejected', failReason: null, recordId: null, reason: status >= 500 ? 'internalError' : error.code })
  })
  return server
}
