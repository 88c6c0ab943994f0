/** Headers by which a browser that shows an answer does nothing that our pages do not ask for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

const protect = helmet({
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

/** The headers of every answer. None depends on the request: they are made once, not for each. */
export function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const answer = { setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value), removeHeader: () => {} }
  protect({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error
  })
  return headers
}
