/** Match thresholds: presets of the specification around the recommendation of a model's measured curve. Pure. */
import { monitorPrecision } from '../enums/alarms.ts'
import type { ValueOf } from '../enums/definition.ts'
import { THRESHOLD_MIN } from '../limits.ts'
import { scoreOfRate } from '../score.ts'

/** Purpose of a comparison. A door must not open for the wrong person, a watch list must not miss one, a search may show many. */
export const FACE_PURPOSES = ['door', 'watchList', 'search'] as const
export type FacePurpose = (typeof FACE_PURPOSES)[number]

/** Preset of the threshold; 6: a custom score. */
export type Precision = ValueOf<typeof monitorPrecision>

/** Points of score by which a preset is above the default: ten points mean a tenth of the false matches. */
const ABOVE_DEFAULT: Partial<Record<Precision, number>> = {
  [monitorPrecision.extremelyStrict]: 10,
  [monitorPrecision.strict]: 5,
  [monitorPrecision.standard]: 0,
  [monitorPrecision.general]: -5,
  [monitorPrecision.loose]: -10,
}

/** Highest score of a preset: at 100 only the identical picture would pass. */
const STRICTEST = 99

/**
 * Return the score of a preset, to one decimal.
 * @param defaultRate rate of false matches that the model recommends for the purpose
 * @param custom score of preset 6, 1 to 100
 */
export function scoreOfPrecision(precision: Precision, defaultRate: number, custom: number | null): number {
  const above = ABOVE_DEFAULT[precision]
  if (above === undefined) return custom ?? scoreOfRate(defaultRate)
  return Math.min(STRICTEST, Math.max(THRESHOLD_MIN, Math.round(10 * (scoreOfRate(defaultRate) + above)) / 10))
}

/** How strictly a monitoring task compares. */
export interface TaskStrictness {
  precision: Precision
  /** Raw score, for preset 6. */
  customPrecision: number | null
  /** Raw score; counts before any preset. */
  similarityThreshold: number | null
}

/**
 * Return the raw score from which a face counts as a person's of a monitoring task. Presets are relative to what the park promises.
 * @param promised raw score that keeps the promise of the watch list; it may exceed 100, and so may the score
 */
export function scoreOfTask({ precision, customPrecision, similarityThreshold }: TaskStrictness, promised: number): number {
  if (similarityThreshold !== null) return similarityThreshold
  const above = ABOVE_DEFAULT[precision]
  return above === undefined ? (customPrecision ?? promised) : Math.max(THRESHOLD_MIN, promised + above)
}

/**
 * Return the probability that a person who is not on a list of `templates` photos is mistaken for one of them. @param rate of a single
 * comparison
 */
export const chanceAmong = (rate: number, templates: number): number => -Math.expm1(templates * Math.log1p(-rate))
