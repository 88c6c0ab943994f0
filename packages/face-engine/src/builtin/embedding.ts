/**
 * The embedding: what the recognition net says of a face, and behind it, with less weight, what the description net
 * says. Each errs about other people than the other does, and together they take far fewer for one. At unit length, so
 * that distance² = 2 − 2 · cosine.
 */
import { atUnitLength } from '../unit-length.ts'
import { PROJECTION_NUMBERS, projected } from './projection.ts'
import { RECOGNITION_NUMBERS } from './recognition.ts'

/** Weight of the description beside the recognition net, chosen on people who are in no figure that is given. */
const WEIGHT = 0.35

export const EMBEDDING_NUMBERS = RECOGNITION_NUMBERS + PROJECTION_NUMBERS

/**
 * @param recognised of the recognition net
 * @param described of the description net, from 0: its square roots are compared, or the few loud ones would drown the others
 */
export function embeddingOf(recognised: Float32Array, described: Float32Array): Float32Array {
  const roots = described.map((number) => Math.sqrt(Math.max(0, number)))
  const mean = roots.reduce((sum, number) => sum + number, 0) / roots.length
  const [first, second] = [atUnitLength(recognised), atUnitLength(projected(roots.map((number) => number - mean)))]
  const whole = new Float32Array(EMBEDDING_NUMBERS)
  whole.set(first)
  for (const [at, number] of second.entries()) whole[RECOGNITION_NUMBERS + at] = WEIGHT * number
  return atUnitLength(whole)
}
