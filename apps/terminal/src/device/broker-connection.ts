/** TLS connections to the broker, checked before the password is sent. */
import type { TLSSocket } from 'node:tls'
import { openSecurely, type SecureAddress } from './secure-socket.ts'

const DEFAULT_PORT = 8883
const CONNECT_WITHIN = 5_000

/**
 * Connect to a broker whose certificate an authority signed, or for whose key the server vouches.
 * @param url with the scheme mqtts
 * @throws Error with a sentence
 */
export async function openBrokerConnection(
  url: URL,
  { tls, vouchesFor, signal }: { tls: SecureAddress['tls']; vouchesFor: (keyDigest: string) => Promise<boolean>; signal: AbortSignal },
): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const { socket, peer } = await openSecurely(
    { host, port: Number(url.port || DEFAULT_PORT), tls },
    { timeout: CONNECT_WITHIN, signal },
  ).catch((error: Error) => Promise.reject(new Error(`The broker at ${url.host} cannot be reached (${error.message}).`)))
  try {
    if (peer.untrusted === null || (await vouchesFor(peer.keyDigest))) return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
  socket.destroy()
  throw new Error(
    `The broker at ${url.host} shows a certificate that neither the server nor an authority vouches for ` +
      `(${peer.untrusted}; its key is ${peer.keyDigest}). It is not sent the password. Name its authority with ` +
      '--ca, or its certificate at the server.',
  )
}
