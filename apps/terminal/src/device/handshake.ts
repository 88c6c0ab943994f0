/** Proofs that a device and its server know the secret of the device. Neither the secret nor its hash is sent. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The key of all proofs. */
export const keyOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** HMAC-SHA256 as base64url. */
export const proofOf = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** Check the proof of a text in constant time. */
export function isProofOf(key: Buffer, text: string, proof: string): boolean {
  const [expected, shown] = [Buffer.from(proofOf(key, text)), Buffer.from(proof)]
  return expected.length === shown.length && timingSafeEqual(expected, shown)
}

/** Return a value that distinguishes secrets on disk and reveals nothing about them. */
export const markOfSecret = (key: Buffer): string => proofOf(key, 'trust')
