import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptionNotice } from './encryption-notice.ts'
import { keyDigestOf } from './platform/transport/certificate.ts'
import { makeCertificate } from './platform/transport/own-certificate.ts'

const DAY = 86_400_000
const plain = { tls: null, host: '0.0.0.0', trustProxyGiven: false }

test('plain http beyond this machine is named, with what mends it', () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.5', 'gate.example']) {
    const text = encryptionNotice({ ...plain, host }, null).join('\n')
    expect(text).toContain('unencrypted')
    expect(text).toContain('TLS=self')
    expect(text).toContain('docs/operations/https.md')
  }
})

test('nothing is said of what stays on this machine, nor where somebody has set a proxy', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) expect(encryptionNotice({ ...plain, host }, null)).toEqual([])
  expect(encryptionNotice({ ...plain, trustProxyGiven: true }, null)).toEqual([])
})

test('with a certificate it is said which, until when, and by which key it is known', () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const certificate = makeCertificate(key, ['gate.example'], Date.UTC(2026, 10, 26))
  const shown = { current: () => ({ certificate, key }) }
  const until = new Date(Date.UTC(2026, 10, 26) + 397 * DAY).toISOString().slice(0, 10)
  const digest = keyDigestOf(certificate)
  expect(encryptionNotice({ ...plain, tls: { kind: 'self', names: [] } }, shown)).toEqual([
    `Encrypted with a certificate of its own, until ${until}; its key: ${digest}`,
  ])
  const files = { kind: 'files', certificateFile: '/tls/server.crt', keyFile: '/tls/server.key' } as const
  expect(encryptionNotice({ ...plain, tls: files }, shown)).toEqual([
    `Encrypted with the certificate /tls/server.crt, until ${until}; its key: ${digest}`,
  ])
})
