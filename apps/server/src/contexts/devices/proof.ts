/** Proofs that somebody knows the secret of a device, by its SHA-256: the secret travels in neither direction. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 as base64url. @param key SHA-256 of the secret */
export const proofOf = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')

/** Whether a proof is that of a text, compared in constant time. */
export function isProofOf(key: Buffer, text: string, proof: string): boolean {
  const [expected, shown] = [Buffer.from(proofOf(key, text)), Buffer.from(proof)]
  return expected.length === shown.length && timingSafeEqual(expected, shown)
}
