/**
 * Numbers of 64 bits as two halves of 32: versions of persons, and sums of them modulo 2^64. BigInt would be twenty
 * times slower where a hundred thousand persons are counted.
 */
import { createHash } from 'node:crypto'

export interface Word {
  hi: number
  lo: number
}

/** Return the first 64 bits of the SHA-256 of a text. */
export function wordOf(text: string): Word {
  const bytes = createHash('sha256').update(text).digest()
  return { hi: bytes.readUInt32BE(0), lo: bytes.readUInt32BE(4) }
}

const half = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
export const hexOf = ({ hi, lo }: Word): string => half(hi) + half(lo)

/** Return a half in which each bit of the input flips about half of the bits (the finaliser of MurmurHash3). */
function finalised(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Return a word derived from two; a change of either gives another word. */
export function mixed(one: Word, other: Word): Word {
  const hi = finalised(one.hi ^ finalised(other.lo + 0x9e3779b9))
  return { hi, lo: finalised(one.lo ^ finalised(other.hi + hi)) }
}

/** Sums by bucket; taking a word away undoes adding it. */
export class Sums {
  readonly #hi: Uint32Array
  readonly #lo: Uint32Array

  constructor(size: number) {
    this.#hi = new Uint32Array(size)
    this.#lo = new Uint32Array(size)
  }

  add(bucket: number, { hi, lo }: Word): void {
    const sum = this.#lo[bucket]! + lo
    this.#lo[bucket] = sum
    this.#hi[bucket] = this.#hi[bucket]! + hi + (sum > 0xffff_ffff ? 1 : 0)
  }

  take(bucket: number, { hi, lo }: Word): void {
    const rest = this.#lo[bucket]! - lo
    this.#lo[bucket] = rest
    this.#hi[bucket] = this.#hi[bucket]! - hi - (rest < 0 ? 1 : 0)
  }

  /** Each bucket as 16 hexadecimal digits. */
  words(): string[] {
    return Array.from(this.#hi, (hi, bucket) => hexOf({ hi, lo: this.#lo[bucket]! }))
  }

  /** The sums of some buckets, concatenated. */
  wordsOf(buckets: readonly number[]): string {
    return buckets.map((bucket) => hexOf({ hi: this.#hi[bucket]!, lo: this.#lo[bucket]! })).join('')
  }

  /** The sum of all buckets. */
  total(): string {
    const whole = new Sums(1)
    this.#hi.forEach((hi, bucket) => whole.add(0, { hi, lo: this.#lo[bucket]! }))
    return whole.words()[0]!
  }

  /** The sums for the database: eight bytes a bucket, most significant first. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(this.#hi.length * 8)
    this.#hi.forEach((hi, bucket) => {
      bytes.writeUInt32BE(hi, bucket * 8)
      bytes.writeUInt32BE(this.#lo[bucket]!, bucket * 8 + 4)
    })
    return bytes
  }
}
