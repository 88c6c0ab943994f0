/** Certificates for tests over TLS, made without openssl. */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import forge from 'node-forge'

/** In PEM. */
export interface TestCertificate {
  certificate: string
  key: string
  /** SHA-256 of its public key, as servers vouch for it. */
  keyDigest: string
}

const DAY = 86_400_000
/** Kinds of alternative names in a certificate. */
const [DNS, IP] = [2, 7]

export const newKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

export function keyDigestOf(key: string): string {
  return createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

/**
 * Make a self-signed certificate. No authority certifies it unless a test names it as one.
 * @param key in PEM; a new one by default
 * @param names host names and addresses it is valid for
 */
export function selfSigned(key = newKey(), names: readonly string[] = ['localhost', '127.0.0.1']): TestCertificate {
  const made = forge.pki.createCertificate()
  made.publicKey = forge.pki.publicKeyFromPem(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString())
  made.serialNumber = `01${randomBytes(8).toString('hex')}`
  made.validity.notBefore = new Date(Date.now() - DAY)
  made.validity.notAfter = new Date(Date.now() + DAY)
  const name = [{ name: 'commonName', value: `Test ${randomBytes(4).toString('hex')}` }]
  made.setSubject(name)
  made.setIssuer(name)
  made.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: names.map((one) => (isIP(one) ? { type: IP, ip: one } : { type: DNS, value: one })) },
  ])
  made.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create())
  return { certificate: forge.pki.certificateToPem(made), key, keyDigest: keyDigestOf(key) }
}
