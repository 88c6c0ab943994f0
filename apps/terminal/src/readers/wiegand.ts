/**
 * Wiegand cards, as a converter sends them over a serial line: 0x02, the number of bits, the bits packed with the first one highest, the
 * XOR of all these bytes but the first, 0x03. 26 and 34 bits are a parity bit, the number, a parity bit: even over the first half, odd over
 * the second.
 */
import { createFrameBuffer } from './frame-buffer.ts'
import type { FrameParser } from './reader.ts'

const START = 0x02
const END = 0x03
const LENGTHS: readonly number[] = [26, 34]

/**
 * Return the number of a card in decimal digits. It includes the facility code, so two cards never have the same number.
 * @param bits `0` and `1`, in the order in which they arrived
 * @returns null for a length other than 26 or 34 bits, or a wrong parity
 */
export function wiegandNumber(bits: string): string | null {
  if (!LENGTHS.includes(bits.length) || !/^[01]+$/.test(bits)) return null
  const half = bits.length / 2
  const ones = (text: string) => text.split('1').length - 1
  if (ones(bits.slice(0, half)) % 2 !== 0 || ones(bits.slice(half)) % 2 !== 1) return null
  return BigInt(`0b${bits.slice(1, -1)}`).toString()
}

const bytesOf = (bits: number) => Math.ceil(bits / 8)

export function wiegandParser(): FrameParser {
  const frames = createFrameBuffer({
    head: [START],
    lengthOf: (bytes) => (bytes.length < 2 ? null : LENGTHS.includes(bytes[1]!) ? bytesOf(bytes[1]!) + 4 : Infinity),
    most: 16,
    read(frame) {
      const body = frame.subarray(1, -2)
      const sum = body.reduce((all, byte) => all ^ byte, 0)
      if (frame.at(-1) !== END || frame.at(-2) !== sum) return null
      const bits = [...body.subarray(1)]
        .map((byte) => byte.toString(2).padStart(8, '0'))
        .join('')
        .slice(0, body[0])
      return wiegandNumber(bits)
    },
  })
  return { push: (bytes) => frames(bytes).map((number) => ({ kind: 'card', number })) }
}
