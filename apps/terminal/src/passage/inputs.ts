/** What somebody shows at a door, besides a face or with it. */

/** What the engine says of the face in front of the terminal. `livenessScore` is absent where it was not asked, or cannot tell. */
export interface SeenFace {
  embedding: Float32Array
  livenessScore?: number | undefined
}

export type Input =
  | { kind: 'face'; face: SeenFace }
  /** A number in decimal digits, as `cardNumberOf` gives it. */
  | { kind: 'card'; number: string }
  /** Read from the chip of an ID card; `portrait` null where its picture could not be read. */
  | { kind: 'idCard'; number: string; portrait: Float32Array | null }
  /** A number of an ID card, typed in. */
  | { kind: 'idNumber'; number: string }
  /** Of the door or of somebody: which, only those who hold it know. */
  | { kind: 'password'; password: string }
  | { kind: 'qrCode'; text: string }
  /** As the module of the reader gives it, base64. */
  | { kind: 'handprint'; template: string }

/** Somewhat shown at an instant of the terminal's clock, epoch milliseconds. */
export interface Shown {
  input: Input
  seenAt: number
}

/** Inputs a reader gives again for as long as the thing lies on it. */
export const LYING: readonly Input['kind'][] = ['card', 'idCard', 'qrCode', 'handprint']

/** The same for two inputs that are one thing shown twice. */
export function isSameInput(one: Input, other: Input): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind === 'card' || one.kind === 'idCard' || one.kind === 'idNumber') return one.number === (other as typeof one).number
  if (one.kind === 'qrCode') return one.text === (other as typeof one).text
  return one.kind === 'handprint' && one.template === (other as typeof one).template
}
