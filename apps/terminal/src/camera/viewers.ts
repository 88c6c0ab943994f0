/** `GET /camera`: the pictures of the camera for the terminal's screen, as one picture that is continually replaced. */
import type { FastifyInstance, FastifyReply } from 'fastify'

const VIEWERS = 16
const BOUNDARY = 'gatehouse-picture'

export interface Viewers {
  show(jpeg: Uint8Array): void
  /** Return the picture shown; null while there is none. */
  latest(): Uint8Array | null
  /** End the streams of all viewers: a picture that stands still would be taken for a live one. */
  clear(): void
}

/** @param isLive whether the camera sends pictures */
export function serveViewers(server: FastifyInstance, { isLive }: { isLive: () => boolean }): Viewers {
  const viewers = new Set<FastifyReply['raw']>()
  let latest: Uint8Array | null = null

  function write(viewer: FastifyReply['raw'], jpeg: Uint8Array): void {
    viewer.write(`Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
    viewer.write(jpeg)
    // A browser shows a picture only when the boundary of the next one arrives.
    viewer.write(`\r\n--${BOUNDARY}\r\n`)
  }

  server.get('/camera', { config: { reach: 'screen' } }, async (_request, reply) => {
    if (!isLive()) return reply.code(503).header('retry-after', '1').send({ reason: 'cameraAway' })
    if (viewers.size >= VIEWERS) return reply.code(429).header('retry-after', '1').send({ reason: 'busy' })
    reply.hijack()
    const viewer = reply.raw
    viewer.on('error', () => viewer.destroy())
    viewer.once('close', () => viewers.delete(viewer))
    viewer.writeHead(200, {
      'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    viewer.write(`--${BOUNDARY}\r\n`)
    viewers.add(viewer)
    if (latest) write(viewer, latest)
  })

  return {
    show(jpeg) {
      latest = jpeg
      // A viewer who has not yet read the last picture skips this one.
      for (const viewer of viewers) if (viewer.writableLength === 0) write(viewer, jpeg)
    },
    latest: () => latest,
    clear() {
      latest = null
      for (const viewer of viewers) viewer.end()
    },
  }
}
