/** Decryption of the credentials of persons, which are sealed under a key that the server sends at each pairing. */
import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'
import { CREDENTIALS_KEY_BYTES, CREDENTIALS_PURPOSE } from '@gatehouse/contract/device/sealed-credentials'
import { credentialsObject } from '@gatehouse/contract/device/protocol-persons'
import type { Credentials } from '../store/credentials.ts'
import { opened } from '../store/vault.ts'

export interface SealedCredentials {
  /** Create a new key pair and return the public key for the server. */
  begin(): string
  /** Take the server's answer to it; absent if the server seals nothing. @throws when it was sealed for another key pair */
  take(credentialsKey: string | undefined): void
  /** Parameters with which pages of persons are requested. */
  queryParameters(): { credentials?: 'sealed' }
  /** @throws when they were changed, are another person's, or there is no key yet */
  open(personId: string, sealed: string): Credentials
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
      const theirs = bytes.subarray(0, CREDENTIALS_KEY_BYTES)
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') }, format: 'jwk' })
      const shared = diffieHellman({ privateKey: pair.privateKey, publicKey })
      const salt = Buffer.concat([theirs, Buffer.from(textOf(pair.publicKey), 'base64url')])
      key = opened(
        new Uint8Array(hkdfSync('sha256', shared, salt, CREDENTIALS_PURPOSE, CREDENTIALS_KEY_BYTES)),
        bytes.subarray(CREDENTIALS_KEY_BYTES),
        CREDENTIALS_PURPOSE,
      )
    },
    queryParameters: () => (key === null ? {} : { credentials: 'sealed' }),
    open(personId, sealed) {
      if (key === null) throw new Error('No key of sealed credentials has been told.')
      return credentialsObject.parse(JSON.parse(opened(key, Buffer.from(sealed, 'base64'), personId).toString()))
    },
  }
}
