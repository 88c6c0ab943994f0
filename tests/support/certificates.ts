/** A certificate authority and certificates it signs, created with openssl as an administrator would. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why tests over TLS are skipped; null where they run. */
export const opensslMissing: string | null =
  spawnSync('openssl', ['version']).status === 0 ? null : 'openssl is not installed (Debian: apt-get install openssl)'

/** In PEM, with the paths of their files. */
export interface Certificate {
  certificate: string
  key: string
  certificateFile: string
  keyFile: string
}

export interface Authority {
  certificate: string
  certificateFile: string
  /** Sign a certificate. @param alternativeNames such as `DNS:localhost`, for a server */
  issue(commonName: string, alternativeNames?: string): Certificate
  remove(): void
}

export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...words: string[]): void => {
    const done = spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`openssl ${words[0]} failed: ${done.stderr}`)
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', 'authority.key', '-out', 'authority.pem', '-days', '2', '-subj', '/CN=Test authority')
  let issued = 0

  return {
    certificate: readFileSync(file('authority.pem'), 'utf8'),
    certificateFile: file('authority.pem'),
    issue(commonName, alternativeNames) {
      const name = `issued-${++issued}`
      writeFileSync(file(`${name}.ext`), alternativeNames === undefined ? '' : `subjectAltName=${alternativeNames}\n`)
      openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${commonName}`)
      openssl(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        '-CA',
        'authority.pem',
        '-CAkey',
        'authority.key',
        '-CAcreateserial',
        '-out',
        `${name}.pem`,
        '-days',
        '2',
        '-extfile',
        `${name}.ext`,
      )
      const [certificateFile, keyFile] = [file(`${name}.pem`), file(`${name}.key`)]
      return { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8'), certificateFile, keyFile }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
