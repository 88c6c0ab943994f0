/** Passwords travel under the login key. node-forge, because browsers offer no `crypto.subtle` on plain http. */
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { request } from '../../kit/request.ts'

/** base64 of the RSA-OAEP (SHA-256, MGF1 SHA-256) cipher text under the server's current key. */
export async function encryptPassword(password: string): Promise<string> {
  const [{ publicKey }, { default: forge }] = await Promise.all([request(identityCalls.loginConfig, {}, { errors: 'inline' }), loadForge()])
  const key = forge.pki.publicKeyFromPem(publicKey)
  return forge.util.encode64(key.encrypt(forge.util.encodeUtf8(password), 'RSA-OAEP', { md: forge.md.sha256.create(), mgf1: { md: forge.md.sha256.create() } }))
}

const loadForge = () => import('node-forge')
/** Starts loading while the person types. */
export const prepareEncryption = (): void => void loadForge().catch(() => {})
