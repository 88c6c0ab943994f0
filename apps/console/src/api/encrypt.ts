/** Encryption of passwords with the login key. It uses node-forge, because browsers offer no `crypto.subtle` on plain http. */
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { passwordText } from '@gatehouse/contract/password-text'
import { request } from './request.ts'
import { storage } from './storage.ts'

/**
 * Return passwords by name, each as base64 of the RSA-OAEP (SHA-256, MGF1 SHA-256) cipher text under the server's current key, with a
 * nonce of its own. The server opens each once: encrypt again for another try.
 */
export async function encryptPasswords<Name extends string>(passwords: Record<Name, string>): Promise<Record<Name, string>> {
  const [{ publicKey, nonce }, { default: forge }] = await Promise.all([
    request(identityCalls.loginConfig, {}, { errors: 'inline' }),
    loadForge(),
  ])
  storage.set('publicKey', publicKey)
  const key = forge.pki.publicKeyFromPem(publicKey)
  const encrypt = (password: string): string =>
    forge.util.encode64(
      key.encrypt(forge.util.encodeUtf8(passwordText(nonce, password)), 'RSA-OAEP', {
        md: forge.md.sha256.create(),
        mgf1: { md: forge.md.sha256.create() },
      }),
    )
  return Object.fromEntries(Object.entries<string>(passwords).map(([name, password]) => [name, encrypt(password)])) as Record<Name, string>
}

/** Return one password, encrypted as by `encryptPasswords`. */
export const encryptPassword = async (password: string): Promise<string> => (await encryptPasswords({ password })).password

const loadForge = () => import('node-forge')
/** Start loading node-forge while the user types. */
export const prepareEncryption = (): void => void loadForge().catch(() => {})
