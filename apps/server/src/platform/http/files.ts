/** Pictures under signed addresses, and the console's own files. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../context.ts'
import { NotFound } from './refusal.ts'

/** Assert that the data directory is not inside the public console folder. @throws Error with a sentence if it is */
export function assertApart(dataDir: string, consoleDir: string | null): void {
  if (consoleDir === null) return
  const way = relative(consoleDir, dataDir)
  if (way.split(sep)[0] !== '..' && !isAbsolute(way)) throw new Error(`DATA_DIR must not lie in the folder of the console, ${consoleDir}`)
}

const QUARTER_HOUR = 15 * 60

export function mountFiles(app: FastifyInstance, platform: Platform): void {
  app.get<{ Params: { id: string; variant: string }; Querystring: { e?: string; s?: string } }>(
    '/files/:id/:variant',
    async (request, reply) => {
      const { id, variant } = request.params
      const picture = await platform.storage.read(id, variant, String(request.query.e ?? ''), String(request.query.s ?? ''))
      if (picture === null) throw new NotFound()
      return reply
        .header('Cache-Control', `private, max-age=${QUARTER_HOUR}, immutable`)
        .header('Content-Disposition', 'inline')
        .type(picture.contentType)
        .send(picture.bytes)
    },
  )

  app.get<{ Params: { id: string; variant: string } }>('/public/:id/:variant', async (request, reply) => {
    const picture = await platform.storage.readPublic(request.params.id, request.params.variant)
    if (picture === null) throw new NotFound()
    return (
      reply
        // A changed picture has a new id.
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .header('Content-Disposition', 'inline')
        .type(picture.contentType)
        .send(picture.bytes)
    )
  })

  const { consoleDir } = platform.config
  if (consoleDir === null || !existsSync(consoleDir)) return
  void app.register(fastifyStatic, {
    root: consoleDir,
    wildcard: false,
    preCompressed: true,
    setHeaders(reply, path) {
      // File names contain a hash of their content; only the page itself must be revalidated.
      reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
