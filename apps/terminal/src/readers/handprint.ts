/**
 * Modules that read hands. Their packets are those of modules for fingers and palms of this family: EF 01, four bytes of address, the kind
 * (02 data, 08 the last data packet, 07 an answer), length, content, and the sum of all bytes after the address. The data packets up to the
 * last make one template. The module compares by itself and sends the template it found, so equal templates are one hand.
 */
import { createFrameBuffer } from './frame-buffer.ts'
import type { FrameParser } from './reader.ts'

const HEAD = [0xef, 0x01] as const
const ADDRESS = 4
const BEFORE_CONTENT = HEAD.length + ADDRESS + 1 + 2
const SUM = 2
const KIND = { data: 0x02, answer: 0x07, last: 0x08 } as const
/** Most bytes of a template: as many as the protocol carries as base64. */
const LONGEST = 15_000

export function handprintParser(): FrameParser {
  let parts: number[] = []
  const packets = createFrameBuffer({
    head: HEAD,
    lengthOf: (bytes) => (bytes.length < BEFORE_CONTENT ? null : BEFORE_CONTENT + word(bytes, BEFORE_CONTENT - 2)),
    most: 1024,
    read(packet) {
      if (packet.length < BEFORE_CONTENT + SUM) return null
      const summed = packet.subarray(HEAD.length + ADDRESS, -SUM).reduce((sum, byte) => (sum + byte) & 0xffff, 0)
      if (summed !== word(packet, packet.length - SUM)) return null
      return { kind: packet[HEAD.length + ADDRESS]!, content: packet.slice(BEFORE_CONTENT, -SUM) }
    },
  })
  return {
    push: (bytes) =>
      packets(bytes).flatMap(({ kind, content }) => {
        if (kind !== KIND.data && kind !== KIND.last) {
          // An answer starts a new template.
          parts = []
          return []
        }
        parts = [...parts, ...content]
        if (parts.length > LONGEST) parts = []
        if (kind !== KIND.last || parts.length === 0) return []
        const template = Buffer.from(parts).toString('base64')
        parts = []
        return [{ kind: 'handprint' as const, template }]
      }),
  }
}

const word = (bytes: Uint8Array, at: number) => (bytes[at]! << 8) | bytes[at + 1]!
