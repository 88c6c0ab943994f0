/** Proofs of knowing the secret of a device, made with its SHA-256: the secret itself is sent in neither direction. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Return the HMAC-SHA256 as base64url. @param key SHA-256 of the secret */
export const proofOf = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** Return whether a proof is that of a text, compared in constant time. */
export function isProofOf(key: Buffer, text: string, proof: string): boolean {
  const [expected, shown] = [Buffer.from(proofOf(key, text)), Buffer.from(proof)]
  return expected.length === shown.length && timingSafeEqual(expected, shown)
}
