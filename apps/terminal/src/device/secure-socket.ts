/**
 * TLS connections that are accepted by the key of the peer, not by certificate authorities alone. The caller decides before any application
 * data are written.
 */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'

/** Identity presented by the peer of a connection. */
export interface Peer {
  /** SHA-256 of the public key of its certificate (SPKI, DER), as base64url. */
  keyDigest: string
  /** Why the certificate cannot be verified by authorities for this host name; null if it can. */
  untrusted: string | null
}

/** The peer does not speak TLS. */
export class NotEncrypted extends Error {
  override readonly name = 'NotEncrypted'
}

export interface SecureAddress {
  host: string
  port: number
  /** In PEM: authorities to use in place of the default ones, and the certificate to present if one is requested. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
  /** Protocols offered by ALPN; none by default. */
  protocols?: string[]
}

/** Milliseconds until the handshake must be complete. */
const CONNECT_WITHIN = 10_000
/** Codes of errors that a plain-text answer causes in TLS. */
const NO_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST', 'ERR_SSL_UNKNOWN_PROTOCOL']

/**
 * Open a connection to whatever answers. No application data has been written when it resolves.
 * @throws NotEncrypted, or a network error
 */
export function openSecurely(
  { host, port, tls, protocols }: SecureAddress,
  { timeout = CONNECT_WITHIN, signal }: { timeout?: number; signal?: AbortSignal } = {},
): Promise<{ socket: TLSSocket; peer: Peer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ socket: TLSSocket; peer: Peer }>()
  const socket = connect({
    ...tls,
    host,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    ...(protocols && { ALPNProtocols: protocols }),
    // The caller judges the peer by the returned `Peer`.
    rejectUnauthorized: false,
  })
  const fail = (error: Error): void => {
    reject(NO_TLS.includes((error as { code?: string }).code ?? '') ? new NotEncrypted('no TLS is spoken there') : error)
    socket.destroy()
  }
  const closed = (): void => fail(new Error('the connection was closed'))
  const abandon = (): void => fail(signal!.reason as Error)
  const tooLong = setTimeout(() => fail(new Error('no answer in time')), timeout)
  socket.setNoDelay(true)
  socket.on('error', fail)
  socket.on('close', closed)
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate()
    if (certificate === undefined) return fail(new Error('no certificate is shown'))
    const key = certificate.publicKey.export({ type: 'spki', format: 'der' })
    const keyDigest = createHash('sha256').update(key).digest('base64url')
    resolve({ socket, peer: { keyDigest, untrusted: socket.authorized ? null : String(socket.authorizationError) } })
  })
  signal?.addEventListener('abort', abandon, { once: true })
  if (signal?.aborted) abandon()
  return promise.finally(() => {
    clearTimeout(tooLong)
    signal?.removeEventListener('abort', abandon)
    socket.off('close', closed)
  })
}
