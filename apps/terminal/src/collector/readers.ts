/**
 * Devices a collector is connected to. A family of readers implements these interfaces; a terminal without one refuses the command.
 * A wait that ends before anything was presented resolves with null.
 */
export interface CardReader {
  /** Return the number of the next card presented, as the reader writes it. */
  read(signal: AbortSignal): Promise<string | null>
}

export interface PresentedPalm {
  /** JPEG or PNG, at most 3 MB. */
  picture: Uint8Array
  /** The template as the readers at the doors give it, base64; null: the reader makes none. */
  template: string | null
}

export interface PalmReader {
  /** Return the next palm presented. */
  read(signal: AbortSignal): Promise<PresentedPalm | null>
}

/** A connection to the card that lies on the writer, as PC/SC offers it. */
export interface CardPort {
  /** Return the answers of the card in the order of the commands, as hexadecimal digits; fewer if the card was removed. */
  transmit(apdus: readonly string[]): Promise<string[]>
}

export interface CollectorReaders {
  card: CardReader | null
  palm: PalmReader | null
  port: CardPort | null
}
