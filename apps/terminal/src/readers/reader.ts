/**
 * Readers at the door, which send cards, ID cards, codes or hands over a serial line. Another kind of reader is a further `FrameParser`; a
 * reader with a library of its own is a further `Reader`.
 */

/** What a reader read. */
export type ReaderEvent =
  /** A number in decimal digits. */
  | { kind: 'card'; number: string }
  /** From the chip. `portrait`: a JPEG, PNG or WebP picture; null where it could not be read. */
  | { kind: 'idCard'; number: string; name: string; portrait: Uint8Array | null }
  /** The template as the module makes it, base64. */
  | { kind: 'handprint'; template: string }
  | { kind: 'qrCode'; text: string }

export interface Reader {
  /** Start to read. @param onEvent called for everything that was read completely and is valid */
  start(onEvent: (event: ReaderEvent) => void): void
  stop(): void
}

/** Parses bytes into frames as they arrive: split anywhere, several at once, with noise between them. Invalid frames are skipped. */
export interface FrameParser {
  push(bytes: Uint8Array): ReaderEvent[]
}
