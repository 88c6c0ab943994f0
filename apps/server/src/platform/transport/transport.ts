/** Encryption of connections, and the keys by which terminals recognise this server. */
import type { Config } from '../../config.ts'
import type { ChannelTls } from '../broker/types.ts'
import type { Secrets } from '../encryption/secrets.ts'
import { certificateOfFiles, keyDigestOf, keysOfFiles, type Certificate, type CertificatePair, type Warn } from './certificate.ts'
import { ownCertificate } from './own-certificate.ts'

export interface Transport {
  /** Certificate of https; null: the server speaks plain http. */
  readonly certificate: Certificate | null
  /** TLS of the embedded broker; null: none. */
  readonly broker: ChannelTls | null
  /** Return the key digests of all certificates that the server, its broker or a proxy in front of it presents at this moment. */
  keys(): string[]
}

/** Open the transport. @throws Error with a sentence where a certificate cannot be used */
export async function openTransport(
  config: Pick<Config, 'dataDir' | 'tls' | 'mqttTls' | 'mqttTlsPort' | 'proxyCertificateFiles'>,
  secrets: Secrets,
  warn: Warn,
): Promise<Transport> {
  const { tls, mqttTls, mqttTlsPort: port } = config
  const certificate =
    tls === null
      ? null
      : tls.kind === 'self'
        ? await ownCertificate({ dataDir: config.dataDir, secrets }, tls.names)
        : certificateOfFiles(tls, warn)
  const proxies = keysOfFiles(config.proxyCertificateFiles, warn)
  let broker: ChannelTls | null = null
  if (mqttTls !== null)
    broker = { port, certificate: certificateOfFiles(mqttTls, warn), clientAuthority: mqttTls.clientAuthority, nameFrom: 'named' }
  else if (certificate !== null) broker = { port, certificate, clientAuthority: null, nameFrom: 'asked' }

  const digests = new WeakMap<CertificatePair, string>()
  const digestOf = (pair: CertificatePair): string => {
    const digest = digests.get(pair) ?? keyDigestOf(pair.certificate)
    digests.set(pair, digest)
    return digest
  }
  return {
    certificate,
    broker,
    keys: () => [
      ...new Set(
        [certificate, broker?.certificate ?? null].flatMap((one) => (one === null ? [] : [digestOf(one.current())])).concat(proxies()),
      ),
    ],
  }
}
