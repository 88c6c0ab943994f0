/** Who may show this terminal a picture, or see who passes. */
import type { FastifyRequest } from 'fastify'

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i

/**
 * Whether a request comes from this machine, or from elsewhere where that is allowed; never from another site's page in
 * a browser here, nor through a name that only pretends to be this machine.
 */
export function isWelcome(request: FastifyRequest, allowFrames: boolean): boolean {
  const { host = '', origin } = request.headers
  if (origin !== undefined && !URL.canParse(origin)) return false
  if (origin !== undefined && new URL(origin).host !== host) return false
  return allowFrames || (LOOPBACK_ADDRESS.test(request.socket.remoteAddress ?? '') && LOOPBACK_NAME.test(host))
}
