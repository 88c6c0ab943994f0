/**
 * How often the people of a park are taken for one another by their own photographs. The curve a model comes with was
 * measured on others; where a park's people are more alike than those, its doors ask for more. Pure.
 */
import { z } from 'zod'

/**
 * What pairs of different people of the park come to, on the scale of the model's own curve; there each ten times rarer
 * is 10 points more.
 */
export const ownCurve = z.object({
  /** Raw score. */
  score: z.number(),
  /** Of pairs of different people of the park, the share that reaches it. */
  rate: z.number().positive().max(1),
  /** Points of score up to where ten times fewer do. */
  pointsPerTenfold: z.number().positive(),
})
export type OwnCurve = z.output<typeof ownCurve>

/** The raw score that so rarely a pair of different people of the park reaches. @param rate above 0 */
export const scoreAmongOwn = ({ score, rate: from, pointsPerTenfold }: OwnCurve, rate: number): number =>
  score + pointsPerTenfold * Math.log10(from / rate)
