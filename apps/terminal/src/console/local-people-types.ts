/** People and photographs registered at this terminal itself. */

/**
 * A person as entered at the console. An empty text means no card or no password; a card is its number in decimal digits. The period
 * includes its bounds; null is unbounded.
 */

export interface LocalEntry {
  name: string
  workNumber: string
  card: string
  password: string
  validFrom: number | null
  validTo: number | null
}
/** A stored face: small, upright, with its embedding. */

export interface LocalFace {
  /** A JPEG of the face and its surroundings. */
  picture: Uint8Array
  /** Null if the running engine could make none. */
  embedding: Float32Array | null
}
