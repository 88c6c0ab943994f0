/** Pictures under signed addresses, and the console's own files. */
import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Platform } from './context.ts'
import { NotFound } from './refusal.ts'

const QUARTER_HOUR = 15 * 60

export function mountFiles(app: FastifyInstance, platform: Platform): void {
  app.get<{ Params: { id: string; variant: string }; Querystring: { e?: string; s?: string } }>('/files/:id/:variant', async (request, reply) => {
    const { id, variant } = request.params
    const picture = await platform.storage.read(id, variant, String(request.query.e ?? ''), String(request.query.s ?? ''))
    if (picture === null) throw new NotFound()
    return reply
      .header('Cache-Control', `private, max-age=${QUARTER_HOUR}, immutable`)
      .header('Content-Disposition', 'inline')
      .type(picture.contentType)
      .send(picture.bytes)
  })

  const { consoleDir } = platform.config
  if (consoleDir === null || !existsSync(consoleDir)) return
  void app.register(fastifyStatic, {
    root: consoleDir,
    wildcard: false,
    preCompressed: true,
    setHeaders(reply, path) {
      // File names carry a hash of their content; only the page itself must be asked for anew.
      reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
