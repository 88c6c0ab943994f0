/** Keys that sign packages: made once, and stored outside the repository by the people who make packages. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { publicPem } from './sign.ts'

/** The request cannot be carried out; the message says why. */
export class SigningRefused extends Error {}

/** Return the file for the public key of a private one. */
const publicFile = (file: string): string => `${file}.pub`

/**
 * Make a key pair: the private key in a file that only its owner reads, the public one beside it.
 *
 * @param tree the repository, in which no private key may lie
 * @throws SigningRefused for a place in the repository or in no folder, and where there is a file already
 */
export function makeSigningKey(path: string, tree: string): { privateFile: string; publicFile: string } {
  const privateFile = resolve(path)
  if (!existsSync(dirname(privateFile))) throw new SigningRefused(`There is no folder ${dirname(privateFile)}.`)
  if (realpathSync(dirname(privateFile)).concat(sep).startsWith(realpathSync(tree).concat(sep)))
    throw new SigningRefused(`${privateFile} lies in the repository. Name a place outside of it, such as ~/upgrade-signing-key.pem.`)
  for (const file of [privateFile, publicFile(privateFile)])
    if (existsSync(file)) throw new SigningRefused(`${file} exists. Packages signed by another key are refused by every terminal.`)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  writeFileSync(publicFile(privateFile), publicPem(publicKey), { mode: 0o644, flag: 'wx' })
  return { privateFile, publicFile: publicFile(privateFile) }
}

/** Read a private key. @throws SigningRefused where the file holds none to sign packages by */
export function signingKey(path: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(path, 'utf8'))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below, without any content of the file.
  }
  throw new SigningRefused(`${path} holds no Ed25519 private key. npm run signing-key -- FILE makes one.`)
}
