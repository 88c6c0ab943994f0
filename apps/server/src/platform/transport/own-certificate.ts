/**
 * A certificate that the server makes itself (TLS=self). No authority knows it: browsers ask once whether to go on, and terminals
 * recognise it by its key, which stays the same when the certificate is renewed.
 */
import { X509Certificate, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import forge from 'node-forge'
import type { Secrets } from '../encryption/secrets.ts'
import { endOf, type Certificate, type CertificatePair } from './certificate.ts'

const DAY = 86_400_000
/** Browsers accept no longer validity. */
const VALID_DAYS = 397
/** Days before its expiry at which it is renewed. */
const RENEW_DAYS = 30
/** Milliseconds by which its validity starts early, for clocks that are slow. */
const EARLIER = DAY
/** Kinds of alternative names in a certificate. */
const [DNS, IP] = [2, 7]
/** Most characters of a certificate's common name. */
const COMMON_NAME_MAX = 64

/** Return names and addresses this machine is reached at. */
export function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address.split('%')[0]!))
  return [...new Set([hostname().toLowerCase(), 'localhost', ...addresses])]
}

/** Return a certificate in PEM. @param key RSA, in PEM. @param now epoch milliseconds */
export function makeCertificate(key: string, names: readonly string[], now: number): string {
  const made = forge.pki.createCertificate()
  made.publicKey = forge.pki.publicKeyFromPem(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString())
  // Positive, as serial numbers must be.
  made.serialNumber = `01${randomBytes(15).toString('hex')}`
  made.validity.notBefore = new Date(now - EARLIER)
  made.validity.notAfter = new Date(now + VALID_DAYS * DAY)
  const subject = [{ name: 'commonName', value: names[0]!.slice(0, COMMON_NAME_MAX) }]
  made.setSubject(subject)
  made.setIssuer(subject)
  made.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) ? { type: IP, ip: name } : { type: DNS, value: name })) },
  ])
  made.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create())
  return forge.pki.certificateToPem(made).replaceAll('\r\n', '\n')
}

const newKey = async (): Promise<string> =>
  (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

/** Return whether a certificate can still be used: for these names, with this key, and long enough. */
function holds(pair: CertificatePair, names: readonly string[], now: number): boolean {
  try {
    const certificate = new X509Certificate(pair.certificate)
    const isOurs = certificate.publicKey.equals(createPublicKey(pair.key))
    const covers = names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined)
    return isOurs && covers && endOf(pair) - now > RENEW_DAYS * DAY
  } catch {
    return false
  }
}

/**
 * Return the certificate stored in `DATA_DIR/secrets`, or a new one with the same key.
 * @param also names it must contain besides those of this machine
 */
export async function ownCertificate(
  { dataDir, secrets }: { dataDir: string; secrets: Secrets },
  also: readonly string[],
  clock: () => number = Date.now,
): Promise<Certificate> {
  const key = await secrets.keep('tls.key', await keyUnlessKept(secrets))
  const file = join(dataDir, 'secrets', 'tls.crt')
  const names = [...new Set([...also, ...ownNames()])]
  let pair: CertificatePair = { certificate: existsSync(file) ? readFileSync(file, 'utf8') : '', key }

  function current(): CertificatePair {
    if (endsAt - clock() > RENEW_DAYS * DAY) return pair
    pair = { certificate: makeCertificate(key, names, clock()), key }
    endsAt = endOf(pair)
    writeFileSync(`${file}.new`, pair.certificate, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return pair
  }

  let endsAt = holds(pair, names, clock()) ? endOf(pair) : 0
  return { current }
}

/** Return a function that returns a new key. The key is generated beforehand, because the store of secrets cannot wait for it. */
async function keyUnlessKept(secrets: Secrets): Promise<() => string> {
  const made = secrets.has('tls.key') ? '' : await newKey()
  return () => made
}
