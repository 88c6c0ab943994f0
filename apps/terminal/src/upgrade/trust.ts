/**
 * The keys whose packages an installation accepts: Ed25519 public keys in a file of its folder. A person at the machine puts it there;
 * nothing that comes over the network ever does.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signatureOf } from '@gatehouse/contract/upgrades/package'
import { replaceFile } from './pointer.ts'
import { PackageRefused } from './refused.ts'

/** Public keys in PEM, one or several: two while an old key is replaced. */
export const KEY_FILE = 'upgrade-key.pem'
const BLOCK = /-----BEGIN ([A-Z ]+)-----[^-]*-----END \1-----/g

export type TrustedKeys = readonly KeyObject[]

/**
 * Read public keys from a text.
 *
 * @throws Error with a sentence if it contains no public key in PEM, or a PEM block that is not an Ed25519 public key
 */
export function keysOf(pem: string): KeyObject[] {
  const blocks = [...pem.matchAll(BLOCK)]
  // Node would derive the public key from a private one, and the private key would be on every terminal.
  if (blocks.length === 0 || blocks.some(([, label]) => label !== 'PUBLIC KEY')) throw new Error('There is no public key in PEM in it.')
  return blocks.map(([block]) => {
    const key = publicKey(block)
    if (key?.asymmetricKeyType !== 'ed25519') throw new Error('Packages are signed with Ed25519, and the key is another one.')
    return key
  })
}

function publicKey(pem: string): KeyObject | null {
  try {
    return createPublicKey(pem)
  } catch {
    return null
  }
}

/** Return the keys of an installation. @throws PackageRefused `key` if there is none, or its file cannot be read */
export function trustedKeys(root: string): TrustedKeys {
  const file = join(root, KEY_FILE)
  if (!existsSync(file)) throw new PackageRefused('key', `This installation has no ${KEY_FILE}, and takes no package.`)
  try {
    return keysOf(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new PackageRefused('key', `${KEY_FILE} cannot be used: ${(error as Error).message}`)
  }
}

/** Replace the keys of an installation. @throws Error as `keysOf` */
export function trust(root: string, pem: string): KeyObject[] {
  const keys = keysOf(pem)
  replaceFile(root, KEY_FILE, keys.map((key) => key.export({ type: 'spki', format: 'pem' })).join(''))
  return keys
}

/** Return the SHA-256 of a key, for people to compare: the first 32 hexadecimal digits in groups of four. */
export const fingerprintOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 32)
    .replace(/(?=(?:.{4})+$)(?!^)/g, ' ')

/** The keys of an installation as its console shows and sets them. */
export const upgradeKeysOf = (root: string): { fingerprints(): string[]; trust(pem: string): void } => ({
  fingerprints() {
    try {
      return trustedKeys(root).map(fingerprintOf)
    } catch {
      return []
    }
  },
  trust: (pem) => void trust(root, pem),
})

/** Check who has signed a manifest. @throws PackageRefused `signature` if it was nobody who is trusted */
export function demandSignature(keys: TrustedKeys, manifest: Uint8Array, text: string): void {
  const signature = signatureOf(text)
  if (signature === null || !keys.some((key) => verify(null, manifest, key, signature)))
    throw new PackageRefused('signature', 'The package is not signed by a key that this installation trusts.')
}
