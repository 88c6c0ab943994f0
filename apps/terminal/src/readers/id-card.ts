/**
 * ID-card readers with the security module of the Chinese resident identity card. A frame is AA AA AA 96 69, the length, three bytes of
 * status (00 00 90 is a card), the lengths of text and picture, text and picture, and the XOR of all bytes after the head.
 */
import { createFrameBuffer } from './frame-buffer.ts'
import type { FrameParser } from './reader.ts'

const HEAD = [0xaa, 0xaa, 0xaa, 0x96, 0x69] as const
const READ: readonly number[] = [0x00, 0x00, 0x90]
/** Positions in the text of 256 bytes, UTF-16 little endian: the name first; the number after name, sex, nation, birthday and address. */
const NAME = { from: 0, length: 30 }
const NUMBER = { from: 30 + 2 + 4 + 16 + 70, length: 36 }
const TEXT_LENGTH = 256
/** 15 digits on old cards, or 17 digits and one that may be X. */
const ID_NUMBER = /^(\d{15}|\d{17}[\dX])$/
const LENGTH_BYTES = 2

export interface IdCardOptions {
  /**
   * Return a picture from the data on the chip, which are packed by a method that only its manufacturer's library can undo; null if that
   * fails. By default, only data that are already a JPEG or PNG picture are taken.
   */
  portraitOf?: (packed: Uint8Array) => Uint8Array | null
}

const isPicture = (bytes: Uint8Array): boolean => (bytes[0] === 0xff && bytes[1] === 0xd8) || (bytes[0] === 0x89 && bytes[1] === 0x50)

export function idCardParser({ portraitOf = (bytes) => (isPicture(bytes) ? bytes : null) }: IdCardOptions = {}): FrameParser {
  const frames = createFrameBuffer({
    head: HEAD,
    lengthOf: (bytes) => (bytes.length < HEAD.length + LENGTH_BYTES ? null : HEAD.length + LENGTH_BYTES + word(bytes, HEAD.length)),
    most: 64 * 1024,
    read(frame) {
      const content = frame.subarray(HEAD.length)
      if (content.subarray(0, -1).reduce((all, byte) => all ^ byte, 0) !== content.at(-1)) return null
      const status = content.subarray(LENGTH_BYTES, LENGTH_BYTES + READ.length)
      // Valid frames that do not contain a card are ignored.
      if (!READ.every((byte, place) => status[place] === byte) || content.length < 10 + TEXT_LENGTH) return 'nothing'
      const [textLength, pictureLength] = [word(content, 5), word(content, 7)]
      const text = content.subarray(9, 9 + textLength)
      const number = textAt(text, NUMBER)
      if (textLength < TEXT_LENGTH || !ID_NUMBER.test(number)) return null
      return { number, name: textAt(text, NAME), packed: content.subarray(9 + textLength, 9 + textLength + pictureLength) }
    },
  })
  return {
    push: (bytes) =>
      frames(bytes).flatMap((read) => {
        if (read === 'nothing') return []
        const { number, name, packed } = read
        return [{ kind: 'idCard' as const, number, name, portrait: packed.length === 0 ? null : portraitOf(Uint8Array.from(packed)) }]
      }),
  }
}

const word = (bytes: Uint8Array, at: number) => (bytes[at]! << 8) | bytes[at + 1]!
const textAt = (text: Uint8Array, { from, length }: { from: number; length: number }) =>
  new TextDecoder('utf-16le').decode(text.subarray(from, from + length)).trim()
