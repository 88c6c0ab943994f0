/** How strictly faces are compared: presets of the specification around what a model's measured curve recommends. Pure. */
import { monitorPrecision } from '../enums/alarms.ts'
import type { ValueOf } from '../enums/definition.ts'
import { THRESHOLD_MIN } from '../limits.ts'
import { scoreOfRate } from '../score.ts'

/** What a comparison is for. A door must not open for the wrong one, a watch list must not miss, a search may show many. */
export const FACE_PURPOSES = ['door', 'watchList', 'search'] as const
export type FacePurpose = (typeof FACE_PURPOSES)[number]

/** Preset 6: a score of one's own. */
export type Precision = ValueOf<typeof monitorPrecision>

/** Points of score a preset lies above the default: ten points are ten times fewer false matches. */
const ABOVE_DEFAULT: Partial<Record<Precision, number>> = {
  [monitorPrecision.extremelyStrict]: 10,
  [monitorPrecision.strict]: 5,
  [monitorPrecision.standard]: 0,
  [monitorPrecision.general]: -5,
  [monitorPrecision.loose]: -10,
}

/** The strictest a preset gets: at 100 nothing passes but the very same picture. */
const STRICTEST = 99

/**
 * The score a preset asks for, to one decimal.
 * @param defaultRate false matches the model recommends for the purpose
 * @param custom of preset 6, 1 to 100
 */
export function scoreOfPrecision(precision: Precision, defaultRate: number, custom: number | null): number {
  const above = ABOVE_DEFAULT[precision]
  if (above === undefined) return custom ?? scoreOfRate(defaultRate)
  return Math.min(STRICTEST, Math.max(THRESHOLD_MIN, Math.round(10 * (scoreOfRate(defaultRate) + above)) / 10))
}

/** Chance that somebody who is not of a list of `templates` photographs is taken for one of them. @param rate of a single comparison */
export const chanceAmong = (rate: number, templates: number): number => -Math.expm1(templates * Math.log1p(-rate))
