/** The embedded broker's port for TLS connections. */
import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { ChannelTls } from './types.ts'
import { LEAST_VERSION, keepCurrent } from '../transport/certificate.ts'

/** Return the name that devices must use to verify the certificate: its first DNS name or address, else its common name. */
function nameOf(certificate: string): string {
  const { subjectAltName, subject } = new X509Certificate(certificate)
  const names = (subjectAltName ?? '').split(', ')
  const named = names.find((name) => name.startsWith('DNS:') && !name.includes('*')) ?? names.find((name) => name.startsWith('IP Address:'))
  const name = named?.slice(named.indexOf(':') + 1) ?? /^CN=(.+)$/m.exec(subject)?.[1]
  if (name === undefined) throw new Error('the certificate of MQTT_CERT_FILE names no host that devices could ask for')
  return name.includes(':') ? `[${name}]` : name
}

/**
 * Return a server that hands over connections after their TLS handshake.
 * @param refused gets the reason of a failed handshake
 * @returns also the name devices are to connect to; null: the host they reached the server at
 * @throws Error for a certificate or key that cannot be read, or that names no host
 */
export function secureServer(
  { certificate, clientAuthority, nameFrom }: ChannelTls,
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
  return { server, name: nameFrom === 'named' ? nameOf(pair.certificate) : null }
}
