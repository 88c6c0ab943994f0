/**
 * Credentials of persons, sealed on the way to devices: a person who intercepts or records the traffic learns neither ID numbers nor
 * passwords. There is one key per park, so that the pages are the same for all devices. Each device receives the key when it pairs, sealed
 * for the public key it sent. Described in docs/protocol/README.md, "Sealed credentials".
 */
import {
  createCipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { CREDENTIALS_KEY_BYTES, CREDENTIALS_PURPOSE } from '@gatehouse/contract/device/sealed-credentials'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'

const NONCE_BYTES = 12

/** Return base64 of nonce, tag and cipher text; the same for the same person and text, so that pages are the same on every node. */
export type Seal = (personId: string, text: string) => string

export interface Sealing {
  of(parkId: string): Promise<Seal>
  /**
   * Return base64url of an ephemeral public key, nonce, tag and the sealed key.
   * @throws InvalidRequest if no secret can be agreed with `sealingKey`
   */
  keyFor(parkId: string, sealingKey: string): Promise<string>
}

function sealed(key: Uint8Array, nonce: Uint8Array, text: Uint8Array, bound: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  const hidden = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
}

/** The 32 bytes of a public key. */
const bytesOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')

/** Return the secret that the owners of the two key pairs share. @throws InvalidRequest */
function agreed(own: KeyObject, sealingKey: string): Buffer {
  try {
    return diffieHellman({
      privateKey: own,
      publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: sealingKey }, format: 'jwk' }),
    })
  } catch {
    // The key is malformed, or a point of small order.
    throw new InvalidRequest([{ path: 'sealingKey', rule: 'invalid' }])
  }
}

export function createSealing(crypto: Pick<Crypto, 'derivedKey'>): Sealing {
  const keyOf = (parkId: string): Promise<Buffer> => crypto.derivedKey(parkId, CREDENTIALS_PURPOSE)
  return {
    async of(parkId) {
      const key = await keyOf(parkId)
      const nonceKey = createHmac('sha256', key).update('nonce').digest()
      return (personId, text) => {
        // Derived from what is sealed: a nonce recurs with the same text only.
        const nonce = createHmac('sha256', nonceKey).update(`${personId}/${text}`).digest().subarray(0, NONCE_BYTES)
        return sealed(key, nonce, Buffer.from(text), personId).toString('base64')
      }
    },
    async keyFor(parkId, sealingKey) {
      const { publicKey, privateKey } = generateKeyPairSync('x25519')
      const salt = Buffer.concat([bytesOf(publicKey), Buffer.from(sealingKey, 'base64url')])
      const key = new Uint8Array(hkdfSync('sha256', agreed(privateKey, sealingKey), salt, CREDENTIALS_PURPOSE, CREDENTIALS_KEY_BYTES))
      return Buffer.concat([bytesOf(publicKey), sealed(key, randomBytes(NONCE_BYTES), await keyOf(parkId), CREDENTIALS_PURPOSE)]).toString(
        'base64url',
      )
    },
  }
}
