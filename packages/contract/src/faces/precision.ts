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

/**
 * Return the probability that a person who is not on a list of `templates` photos is mistaken for one of them. @param rate of a single
 * comparison
 */
export const chanceAmong = (rate: number, templates: number): number => -Math.expm1(templates * Math.log1p(-rate))
