/** Nonces that go into the cipher text of a password. Nothing is stored: every node knows its installation's signature. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'

const VALID_MS = 10 * 60_000
/** Bytes of randomness, and of the end in epoch milliseconds. Both make 20 characters of base64url, which 32 of the signature follow. */
const [RANDOM, END] = [9, 6]
const SIGNED = 20

export interface Nonces {
  /** Return a new nonce of `NONCE_LENGTH` characters. */
  make(): string
  /** Return whether the nonce was made within the last ten minutes, on this node or another. */
  holds(nonce: string): boolean
}

export function createNonces({ clock, crypto }: Pick<Platform, 'clock' | 'crypto'>): Nonces {
  const withSignature = (text: string): string => text + crypto.sign(`login nonce ${text}`)
  return {
    make() {
      const bytes = Buffer.concat([randomBytes(RANDOM), Buffer.alloc(END)])
      bytes.writeUIntBE(Math.floor(clock.now()) + VALID_MS, RANDOM, END)
      return withSignature(bytes.toString('base64url'))
    },
    holds(nonce) {
      const text = nonce.slice(0, SIGNED)
      const [given, right] = [Buffer.from(nonce), Buffer.from(withSignature(text))]
      if (given.length !== right.length || !timingSafeEqual(given, right)) return false
      return Buffer.from(text, 'base64url').readUIntBE(RANDOM, END) > clock.now()
    },
  }
}
