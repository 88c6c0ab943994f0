/**
 * Readers at the door: whatever tells cards, ID cards, codes or hands over a line of bytes. Another kind is one more `FrameParser`;
 * a reader with a library of its own is one more `Reader`.
 */

/** What a reader read. */
export type ReaderEvent =
  /** A number in decimal digits. */
  | { kind: 'card'; number: string }
  /** From the chip. `portrait`: a JPEG, PNG or WebP picture; null where it could not be read. */
  | { kind: 'idCard'; number: string; name: string; portrait: Uint8Array | null }
  /** As the module makes it, base64. */
  | { kind: 'handprint'; template: string }
  | { kind: 'qrCode'; text: string }

export interface Reader {
  /** Begins to read. @param onEvent told of everything that was read whole and is right */
  start(onEvent: (event: ReaderEvent) => void): void
  stop(): void
}

/** Makes frames of bytes as they come: split anywhere, several at once, with noise between them. What is not right is passed over. */
export interface FrameParser {
  push(bytes: Uint8Array): ReaderEvent[]
}
