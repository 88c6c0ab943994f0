/** Opens what persons show besides their faces, which comes sealed under a key that the server tells at each pairing. */
import { createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'
import { credentialsObject, type PersonObject } from '@gatehouse/contract/device/protocol'

const PUBLIC_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PURPOSE = 'gatehouse credentials 1'

export type Credentials = NonNullable<PersonObject['credentials']>

export interface SealedCredentials {
  /** Another key pair, of which the server is sent the public key. */
  begin(): string
  /** The answer to it; absent where the server seals nothing. @throws when it was sealed for somebody else */
  take(credentialsKey: string | undefined): void
  /** What to ask pages of persons with. */
  asked(): { credentials?: 'sealed' }
  /** @throws when they were changed, are another person's, or no key has been told */
  open(personId: string, sealed: string): Credentials
}

function opened(key: Uint8Array, sealed: Uint8Array, bound: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(bound))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

const textOf = (key: KeyObject): string => key.export({ format: 'jwk' }).x!

export function createSealedCredentials(): SealedCredentials {
  let pair = generateKeyPairSync('x25519')
  let key: Buffer | null = null
  return {
    begin() {
      pair = generateKeyPairSync('x25519')
      return textOf(pair.publicKey)
    },
    take(credentialsKey) {
      key = null
      if (credentialsKey === undefined) return
      const bytes = Buffer.from(credentialsKey, 'base64url')
      const theirs = bytes.subarray(0, PUBLIC_BYTES)
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') }, format: 'jwk' })
      const shared = diffieHellman({ privateKey: pair.privateKey, publicKey })
      const salt = Buffer.concat([theirs, Buffer.from(textOf(pair.publicKey), 'base64url')])
      key = opened(new Uint8Array(hkdfSync('sha256', shared, salt, PURPOSE, 32)), bytes.subarray(PUBLIC_BYTES), PURPOSE)
    },
    asked: () => (key === null ? {} : { credentials: 'sealed' }),
    open(personId, sealed) {
      if (key === null) throw new Error('No key of sealed credentials has been told.')
      return credentialsObject.parse(JSON.parse(opened(key, Buffer.from(sealed, 'base64'), personId).toString()))
    },
  }
}
