/** The embedded broker's port for devices that come over TLS. */
import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { ChannelTls } from './types.ts'
import { LEAST_VERSION, keepCurrent } from '../transport/certificate.ts'

/** The name devices must use, so that they can verify the certificate: its first DNS name or address, else its common name. */
function nameOf(certificate: string): string {
  const { subjectAltName, subject } = new X509Certificate(certificate)
  const names = (subjectAltName ?? '').split(', ')
  const named = names.find((name) => name.startsWith('DNS:') && !name.includes('*')) ?? names.find((name) => name.startsWith('IP Address:'))
  const name = named?.slice(named.indexOf(':') + 1) ?? /^CN=(.+)$/m.exec(subject)?.[1]
  if (name === undefined) throw new Error('the certificate of MQTT_CERT_FILE names no host that devices could ask for')
  return name.includes(':') ? `[${name}]` : name
}

/**
 * A server that hands over connections once their TLS stands.
 * @param refused told why one did not come about
 * @returns also the name devices are to connect to; null: the one they asked the server at
 * @throws Error for a certificate or key that cannot be read, or that names no host
 */
export function secureServer(
  { certificate, clientAuthority, told }: ChannelTls,
  serve: (socket: Socket) => void,
  refused: (why: string) => void,
): { server: Server; name: string | null } {
  const pair = certificate.current()
  const server = createServer(
    {
      cert: pair.certificate,
      key: pair.key,
      minVersion: LEAST_VERSION,
      noDelay: true,
      handshakeTimeout: 10_000,
      ...(clientAuthority !== null && { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }),
    },
    serve,
  )
  server.on('tlsClientError', (error, socket) => {
    refused(error.message)
    socket.destroy()
  })
  keepCurrent(server, certificate)
  return { server, name: told === 'named' ? nameOf(pair.certificate) : null }
}
