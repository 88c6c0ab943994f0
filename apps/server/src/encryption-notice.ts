/** The notice about encryption that the server prints at its start: its certificate, or a warning about plain http. */
import type { Config } from './config.ts'
import { isLoopback } from './platform/http/loopback.ts'
import { endOf, keyDigestOf, type Certificate } from './platform/transport/certificate.ts'

/**
 * Return its lines. Empty where plain http stays on this machine, or where the operator has named the proxy in front.
 * @param certificate of https; null: plain http
 */
export function encryptionNotice(
  { tls, host, trustProxyGiven }: Pick<Config, 'tls' | 'host' | 'trustProxyGiven'>,
  certificate: Certificate | null,
): string[] {
  if (tls !== null && certificate !== null) {
    const pair = certificate.current()
    const which = tls.kind === 'self' ? 'a certificate of its own' : `the certificate ${tls.certificateFile}`
    const until = new Date(endOf(pair)).toISOString().slice(0, 10)
    return [`Encrypted with ${which}, until ${until}; its key: ${keyDigestOf(pair.certificate)}`]
  }
  if (isLoopback(host) || trustProxyGiven) return []
  return [
    'Faces, sessions and secrets go over the network unencrypted: the server speaks plain http, and not to this machine only.',
    'TLS=self mends that, and docs/operations/https.md says what else does.',
  ]
}
