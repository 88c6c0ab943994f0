import { X509Certificate, createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSecrets } from '../encryption/secrets.ts'
import { certificateOfFiles, keyDigestOf, keysOfFiles } from './certificate.ts'
import { makeCertificate, ownCertificate } from './own-certificate.ts'

const DAY = 86_400_000
let folder: string
/** Two keys; certificates for them are made again where a test needs others. */
let keys: string[]
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificate-'))
  keys = [0, 1].map(() =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('files', () => {
  let now = Date.now()
  const paths = () => ({ certificateFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') })
  const put = (certificate: string, key: string): void => {
    writeFileSync(paths().certificateFile, certificate)
    writeFileSync(paths().keyFile, key)
  }
  /** Of different lengths, so that files written within one millisecond differ. */
  const signedBy = (key: string, name = 'gate.example'): string => makeCertificate(key, [name], now)

  test('are read again when they have changed, not at every look', () => {
    const warnings: string[] = []
    const first = signedBy(keys[0]!)
    put(first, keys[0]!)
    const certificate = certificateOfFiles(
      paths(),
      (sentence) => warnings.push(sentence),
      () => now,
    )
    const shown = certificate.current()
    expect(shown).toEqual({ certificate: first, key: keys[0] })
    const second = signedBy(keys[0]!, 'a-longer-name.gate.example')
    put(second, keys[0]!)
    expect(certificate.current()).toBe(shown)
    now += 1000
    const renewed = certificate.current()
    expect(renewed.certificate).toBe(second)
    now += 1000
    expect(certificate.current()).toBe(renewed)
    expect(warnings).toEqual([])
  })

  test('that do not belong together leave the pair before, and are told of once', () => {
    const warnings: string[] = []
    const right = signedBy(keys[0]!)
    put(right, keys[0]!)
    const certificate = certificateOfFiles(
      paths(),
      (sentence) => warnings.push(sentence),
      () => now,
    )
    const halfway = signedBy(keys[1]!, 'another.gate.example')
    put(halfway, keys[0]!)
    for (let look = 0; look < 3; look++) {
      now += 1000
      expect(certificate.current().certificate).toBe(right)
    }
    expect(warnings).toEqual([expect.stringContaining('server.crt')])
    // The key follows a moment later.
    put(halfway, `${keys[1]}\n`)
    now += 1000
    expect(certificate.current().certificate).toBe(halfway)
    expect(warnings).toHaveLength(1)
  })

  test('that are none end the start with a sentence', () => {
    put('no certificate', keys[0]!)
    expect(() => certificateOfFiles(paths(), () => {})).toThrow(/server\.crt and .*server\.key are not a certificate and its key in PEM/)
    expect(() => certificateOfFiles({ ...paths(), keyFile: join(folder, 'absent') }, () => {})).toThrow(/absent/)
    expect(() => keysOfFiles([paths().certificateFile], () => {})).toThrow(/server\.crt is no certificate in PEM/)
  })

  test('of a proxy are known by the key that is in them, the first where there is a chain', () => {
    const [own, issuer] = [signedBy(keys[0]!), signedBy(keys[1]!)]
    put(`${own}${issuer}`, '')
    const digest = createHash('sha256')
      .update(new X509Certificate(own).publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64url')
    expect(keysOfFiles([paths().certificateFile], () => {})()).toEqual([digest])
    expect(keyDigestOf(own)).toBe(digest)
  })
})

describe('a certificate of its own', () => {
  test('is made anew in time, under the same key', async () => {
    const dataDir = mkdtempSync(join(folder, 'own-'))
    const place = { dataDir, secrets: openSecrets(dataDir) }
    let now = Date.now()
    const certificate = await ownCertificate(place, ['gate.example'], () => now)
    const first = new X509Certificate(certificate.current().certificate)
    expect(first.verify(first.publicKey)).toBe(true)
    expect(first.ca).toBe(false)
    now += 366 * DAY
    expect(certificate.current().certificate).toBe(first.toString())
    now += 2 * DAY
    const second = new X509Certificate(certificate.current().certificate)
    expect(second.fingerprint256).not.toBe(first.fingerprint256)
    expect(second.publicKey.equals(first.publicKey)).toBe(true)
    expect(readFileSync(join(dataDir, 'secrets', 'tls.crt'), 'utf8')).toBe(certificate.current().certificate)
  })

  test('is made anew for another name, and stays for the same', async () => {
    const dataDir = mkdtempSync(join(folder, 'own-'))
    const place = { dataDir, secrets: openSecrets(dataDir) }
    const first = (await ownCertificate(place, ['gate.example'])).current().certificate
    expect((await ownCertificate(place, ['gate.example'])).current().certificate).toBe(first)
    const second = (await ownCertificate(place, ['10.9.8.7', 'gate.example'])).current().certificate
    expect(second).not.toBe(first)
    expect(new X509Certificate(second).checkIP('10.9.8.7')).toBe('10.9.8.7')
  })
})
