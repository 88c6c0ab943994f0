/** The RSA key under which passwords travel; a form on plain http must not send them in clear. */
import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import type { Secrets } from '../../platform/secrets.ts'

export interface LoginKey {
  /** PEM, SPKI. */
  publicKey: string
  /** The password inside a base64 RSA-OAEP(SHA-256) cipher text; null where it is none. */
  open(cipherText: string): string | null
}

export async function openLoginKey(secrets: Secrets): Promise<LoginKey> {
  const pem = await secrets.keep('login-key.pem', () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  const key = createPrivateKey(pem)
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    open(cipherText) {
      try {
        return privateDecrypt(
          { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
          Buffer.from(cipherText, 'base64'),
        ).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
