/** The port of the server, and the paths of its health checks. */
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** Listen as configured. @throws Error with a sentence when the port is in use */
export async function listen(app: FastifyInstance, config: Config): Promise<{ url: string; port: number }> {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new Error(`port ${config.port} is in use; set PORT to a free one`, { cause: error })
    throw error
  }
  const { port } = app.server.address() as { port: number }
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return { url: `${config.tls === null ? 'http' : 'https'}://${host}:${port}`, port }
}

/** Mount `/healthz`: the process answers, and `/readyz`: database, broker and storage do too. */
export function mountHealth(app: FastifyInstance, ready: () => Promise<void>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await ready()
      return { status: 'ready' }
    } catch {
      return reply.status(503).send({ status: 'not ready' })
    }
  })
}
