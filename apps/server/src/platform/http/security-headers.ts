/** Headers that restrict a browser to what our pages need. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

const protect = helmet({
  contentSecurityPolicy: {
    directives: {
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'media-src': ["'self'", 'blob:'],
      // A PDF is printed from a frame that shows it.
      'frame-src': ["'self'", 'blob:'],
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

/** Return the headers of every answer. None depends on the request, so they are made once. */
export function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const answer: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
    setHeader(name, value) {
      headers[name.toLowerCase()] = String(value)
      return answer as ServerResponse
    },
    removeHeader() {},
  }
  protect({} as IncomingMessage, answer as ServerResponse, (error) => {
    if (error !== undefined) throw error
  })
  return headers
}
