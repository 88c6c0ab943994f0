/** Inputs that a person shows at a door, with a face or without one. */

/**
 * The engine's result for the face in front of the terminal. `livenessScore` is absent if it was not requested, or the engine cannot judge
 * it.
 */
export interface SeenFace {
  embedding: Float32Array
  livenessScore?: number | undefined
}

export type Input =
  | { kind: 'face'; face: SeenFace }
  /** A number in decimal digits, as `cardNumberOf` gives it. */
  | { kind: 'card'; number: string }
  /** Read from the chip of an ID card; `portrait` is null if its picture could not be read. */
  | { kind: 'idCard'; number: string; portrait: Float32Array | null }
  /** A number of an ID card that was typed in. */
  | { kind: 'idNumber'; number: string }
  /** Password of the door or of a person; the input does not say which. */
  | { kind: 'password'; password: string }
  | { kind: 'qrCode'; text: string }
  /** The template as the module of the reader delivers it, base64. */
  | { kind: 'handprint'; template: string }

/** An input at an instant of the terminal's clock, epoch milliseconds. */
export interface Shown {
  input: Input
  seenAt: number
}

/** Inputs that a reader repeats as long as the object lies on it. */
export const LYING: readonly Input['kind'][] = ['card', 'idCard', 'qrCode', 'handprint']

/** Return whether two inputs are the same thing, shown twice. Passwords and faces never are. */
export function isSameInput(one: Input, other: Input): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind === 'card' || one.kind === 'idCard' || one.kind === 'idNumber') return one.number === (other as typeof one).number
  if (one.kind === 'qrCode') return one.text === (other as typeof one).text
  return one.kind === 'handprint' && one.template === (other as typeof one).template
}
