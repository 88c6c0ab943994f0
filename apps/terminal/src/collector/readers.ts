/**
 * What a collector is connected to. A family of readers implements these; a terminal without one says so when it is asked.
 * Whoever waits is answered null when the wait ends before anything was shown.
 */
export interface CardReader {
  /** Number of the next card that is shown, as the reader writes it. */
  read(signal: AbortSignal): Promise<string | null>
}

export interface PalmReader {
  /** Picture of the next palm that is shown: JPEG or PNG, at most 3 MB. */
  read(signal: AbortSignal): Promise<Uint8Array | null>
}

/** Carries commands to the card that lies on the writer, as PC/SC does. */
export interface CardPort {
  /** Answers of the card in the order of the commands, as hexadecimal digits; fewer where it went away. */
  transmit(apdus: readonly string[]): Promise<string[]>
}

export interface CollectorReaders {
  card: CardReader | null
  palm: PalmReader | null
  port: CardPort | null
}
