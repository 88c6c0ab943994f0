/**
 * Certificates of the server. They are renewed while it runs, without a restart: files are checked when a connection arrives, at most
 * once a second; a self-made one is replaced before it expires.
 */
import { X509Certificate, createHash, createPublicKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Server } from 'node:tls'
import { createSecureContext } from 'node:tls'

/** In PEM; `certificate` may contain its chain after it. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

export interface Certificate {
  /** Return the present pair: the same object as long as the pair is the same. */
  current(): CertificatePair
}

/** Reports that a renewed pair cannot be used; the former one stays in use. */
export type Warn = (sentence: string) => void

const LOOK_AGAIN_MS = 1000

/** Return the SHA-256 of the public key of the first certificate in a PEM text, as base64url, by which terminals recognise a server. */
export const keyDigestOf = (certificate: string): string =>
  createHash('sha256')
    .update(createPublicKey(certificate).export({ type: 'spki', format: 'der' }))
    .digest('base64url')

/** Return a stamp that changes with the content of a file, without reading it. */
function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path)
  return `${mtimeMs} ${size} ${ino}`
}

/** Return a function that returns the content of files, read again when they have changed. */
function rereading<T>(paths: readonly string[], read: () => T, warn: Warn, clock: () => number): () => T {
  let current = read()
  let stamps = paths.map(stampOf).join()
  let lookedAt = clock()
  return () => {
    const now = clock()
    if (now - lookedAt < LOOK_AGAIN_MS && now >= lookedAt) return current
    lookedAt = now
    try {
      const found = paths.map(stampOf).join()
      if (found === stamps) return current
      // The two files of a pair are not written at once: a pair that does not match yet is not read again before it changes once more.
      stamps = found
      current = read()
    } catch (error) {
      warn(`${paths.join(' and ')} changed and cannot be used, so that the certificate before is shown: ${(error as Error).message}`)
    }
    return current
  }
}

/**
 * Read certificate and key. @throws Error with a sentence where a file cannot be read, is not a certificate or key, or the two do not
 * match
 */
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

/**
 * Return the certificate of files that another program writes and renews. @throws Error with a sentence where they cannot be used at the
 * start
 */
export const certificateOfFiles = (
  { certificateFile, keyFile }: { certificateFile: string; keyFile: string },
  warn: Warn,
  clock: () => number = Date.now,
): Certificate => ({ current: rereading([certificateFile, keyFile], () => readPair(certificateFile, keyFile), warn, clock) })

/**
 * Return the key digests of certificates that proxies present in the server's place.
 * @throws Error with a sentence where one cannot be read at the start
 */
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

/** Use the present certificate for each new connection of a server. */
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

/** Return when a certificate expires, in epoch milliseconds. */
export const endOf = ({ certificate }: CertificatePair): number => Date.parse(new X509Certificate(certificate).validTo)
