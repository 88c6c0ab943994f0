/** AES-256-GCM with nonce, tag and cipher text in one buffer. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

/**
 * Seal bytes.
 * @param key of 32 bytes
 * @param place the place they are bound to: they cannot be opened for any other
 * @returns nonce ‖ tag ‖ cipher text
 */
export function seal(key: Buffer, plain: Uint8Array, place: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/**
 * Open bytes that `seal` returned.
 * @param place where they were found; null: they are from before sealed values were bound to a place
 * @throws Error if the bytes were not sealed with this key for this place
 */
export function open(key: Buffer, sealed: Uint8Array, place: string | null): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
  if (place !== null) decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  const plain = decipher.update(bytes.subarray(NONCE + TAG))
  // In this mode there are no remaining bytes: it only throws if the tag does not match.
  decipher.final()
  return plain
}
