/**
 * Certificates the server shows. They are looked at again while it runs, so that a renewed one is shown without a
 * restart: files whenever a connection comes, at most once a second; one of the server's own before it ends.
 */
import { X509Certificate, createHash, createPublicKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Server } from 'node:tls'
import { createSecureContext } from 'node:tls'

/** In PEM; `certificate` may be followed by those it was signed by. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

export interface Certificate {
  /** What to show now: the same object as long as it is the same pair. */
  current(): CertificatePair
}

/** Said where a renewed pair cannot be used; the one before goes on being shown. */
export type Warn = (sentence: string) => void

const LOOK_AGAIN_MS = 1000

/** SHA-256 of the public key of the first certificate in a PEM text, as base64url: what terminals know a server by. */
export const keyDigestOf = (certificate: string): string =>
  createHash('sha256')
    .update(createPublicKey(certificate).export({ type: 'spki', format: 'der' }))
    .digest('base64url')

/** What tells one content of a file from another without reading it. */
function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path)
  return `${mtimeMs} ${size} ${ino}`
}

/** Reads files again when they have changed. @param first what they hold now */
function rereading<T>(paths: readonly string[], read: () => T, warn: Warn, clock: () => number): () => T {
  let held = read()
  let stamps = paths.map(stampOf).join()
  let lookedAt = clock()
  return () => {
    const now = clock()
    if (now - lookedAt < LOOK_AGAIN_MS && now >= lookedAt) return held
    lookedAt = now
    try {
      const found = paths.map(stampOf).join()
      if (found === stamps) return held
      // A pair is written one file after the other: what does not fit together yet is not asked again before it changes once more.
      stamps = found
      held = read()
    } catch (error) {
      warn(`${paths.join(' and ')} changed and cannot be used, so that the certificate before is shown: ${(error as Error).message}`)
    }
    return held
  }
}

/** @throws Error with a sentence where a file cannot be read, or certificate and key are none or do not belong together */
function readPair(certificateFile: string, keyFile: string): CertificatePair {
  const pair = { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key })
    keyDigestOf(pair.certificate)
  } catch (error) {
    throw new Error(`${certificateFile} and ${keyFile} are not a certificate and its key in PEM: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return pair
}

/** Certificate and key that somebody else writes, and renews. @throws Error with a sentence where they cannot be used at the start */
export const certificateOfFiles = (
  { certificateFile, keyFile }: { certificateFile: string; keyFile: string },
  warn: Warn,
  clock: () => number = Date.now,
): Certificate => ({ current: rereading([certificateFile, keyFile], () => readPair(certificateFile, keyFile), warn, clock) })

/** Key digests of certificates that proxies show in the server's place. @throws Error with a sentence where one cannot be read at the start */
export function keysOfFiles(paths: readonly string[], warn: Warn, clock: () => number = Date.now): () => string[] {
  const each = paths.map((path) =>
    rereading(
      [path],
      () => {
        try {
          return keyDigestOf(readFileSync(path, 'utf8'))
        } catch (error) {
          throw new Error(`${path} is no certificate in PEM that can be read: ${(error as Error).message}`, { cause: error })
        }
      },
      warn,
      clock,
    ),
  )
  return () => each.map((digest) => digest())
}

/** Shows each connection of a server the certificate of that moment. */
export function keepCurrent(server: Server, certificate: Certificate): void {
  let shown = certificate.current()
  server.prependListener('connection', () => {
    const now = certificate.current()
    if (now === shown) return
    shown = now
    server.setSecureContext({ cert: now.certificate, key: now.key, minVersion: LEAST_VERSION })
  })
}

export const LEAST_VERSION = 'TLSv1.2'

/** When a certificate ends, in epoch milliseconds. */
export const endOf = ({ certificate }: CertificatePair): number => Date.parse(new X509Certificate(certificate).validTo)
