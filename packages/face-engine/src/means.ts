/**
 * Several photographs of a person as one template: the mean of their embeddings at unit length. It knows a person
 * better than the nearest of them does, but its distances mean something else, so it has a curve of its own. What it
 * comes to is told as the distance at which a single photograph is mistaken as rarely: thresholds, leads and scores
 * then hold for both.
 */
import { distanceOf, type Template } from './match.ts'
import { distanceOfScore, scoreOf, type Calibration } from './calibration.ts'

/**
 * The mean of embeddings at unit length, at unit length; of one embedding that itself.
 * @param embeddings at least one, all of one length
 */
export function meanOf(embeddings: readonly Float32Array[]): Float32Array {
  const [first] = embeddings
  if (first === undefined) throw new RangeError('there is no mean of no embedding')
  if (embeddings.length === 1) return first
  const sum = new Float64Array(first.length)
  for (const embedding of embeddings) for (let i = 0; i < sum.length; i++) sum[i]! += embedding[i]!
  const length = Math.hypot(...sum)
  // Opposite ones have no mean; as they are, they are compared by the first.
  return length === 0 ? first : Float32Array.from(sum, (number) => number / length)
}

/** Whether a model says what the mean of so many photographs is worth; of one it is the photograph. */
export const joins = ({ means = [] }: Pick<Calibration, 'means'>, photographs: number): boolean =>
  photographs === 1 || means[photographs - 2] !== undefined

/** The calibration of the mean of so many photographs. @throws RangeError where the model does not say */
export function ofMean(calibration: Calibration, photographs: number): Calibration {
  if (photographs === 1) return calibration
  const curve = calibration.means?.[photographs - 2]
  if (curve === undefined) throw new RangeError(`nothing is known of the mean of ${photographs} photographs`)
  return { ...calibration, curve }
}

/** A distance from the mean of so many photographs, as that from a single one at which it is mistaken as rarely. */
export const asOfOne = (calibration: Calibration, distance: number, photographs: number): number =>
  photographs === 1 ? distance : distanceOfScore(calibration, scoreOf(ofMean(calibration, photographs), distance))

/**
 * How far a face is from a person with several photographs, as from a single one: from their mean where the model knows
 * it, else from the nearest of them.
 * @param calibration absent: nothing is known of means
 * @param photographs at least one
 */
export function distanceToAll(calibration: Calibration | undefined, photographs: readonly Template[], face: Template): number {
  if (calibration === undefined || !joins(calibration, photographs.length))
    return Math.min(...photographs.map((photograph) => distanceOf(photograph, face)))
  const embedding = meanOf(photographs.map((photograph) => photograph.embedding))
  return asOfOne(calibration, distanceOf({ modelId: photographs[0]!.modelId, embedding }, face), photographs.length)
}

/** The way back: how far from the mean of so many photographs is as rare as so far from a single one. */
export const asOfMean = (calibration: Calibration, distance: number, photographs: number): number =>
  photographs === 1 || distance === Infinity ? distance : distanceOfScore(ofMean(calibration, photographs), scoreOf(calibration, distance))
