/** Nonces that go into the cipher text of a password. Nothing is stored: every node knows its installation's signature. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'

const VALID_MS = 10 * 60_000
/** Random bytes, and bytes of the end in epoch milliseconds: 20 characters of base64url, before 32 of the signature. */
const [RANDOM, END] = [9, 6]
const SIGNED = 20

export interface Nonces {
  /** Return a new one, `NONCE_LENGTH` characters long. */
  make(): string
  /** Whether it was made here, or on another node, within the last ten minutes. */
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
