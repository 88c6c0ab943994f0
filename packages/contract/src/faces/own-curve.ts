/**
 * How often the people of a park are mistaken for one another by their own photos. The curve of a model was measured on other people; if a
 * park's people are more alike than those, its doors need a higher threshold. Pure.
 */
import { z } from 'zod'

/**
 * Measurement of pairs of different people of the park, on the scale of the model's own curve, where a rate ten times lower is 10 points
 * more.
 */
export const ownCurve = z.object({
  /** Raw score. */
  score: z.number(),
  /** Share of the pairs of different people of the park that reach the score. */
  rate: z.number().positive().max(1),
  /** Points by which the score must be higher for a tenth of this share. */
  pointsPerTenfold: z.number().positive(),
})
export type OwnCurve = z.output<typeof ownCurve>

/** Return the raw score that pairs of different people of the park reach at this rate. @param rate above 0 */
export const scoreAmongOwn = ({ score, rate: from, pointsPerTenfold }: OwnCurve, rate: number): number =>
  score + pointsPerTenfold * Math.log10(from / rate)
