/**
 * How often the people of a park are taken for one another by their own photographs. The curve a model comes with was measured on others; where
 * a park's people are more alike than those, its doors ask for more. Pure.
 */
import { z } from 'zod'

/** The tail of what different people of the park come to, on the scale of the model's own curve; there each ten times rarer is 10 points more. */
export const ownCurve = z.object({
  /** Raw score at which the tail begins. */
  score: z.number(),
  /** Of pairs of different people of the park, the share that reaches it. */
  rate: z.number().positive().max(1),
  /** Points of score up to where ten times fewer do. */
  pointsPerTenfold: z.number().positive(),
  /** How far it is believed, 0 to 1: with few people it is mostly chance, and the model's curve still speaks. */
  trust: z.number().min(0).max(1),
})
export type OwnCurve = z.output<typeof ownCurve>

/** People at which half of what they show is believed. */
const HALF_BELIEVED = 200

/** How far a curve is believed that so many people show. */
export const trustIn = (persons: number): number => persons / (persons + HALF_BELIEVED)

/** The raw score that so rarely a pair of different people of the park reaches. @param rate above 0 */
export const scoreAmongOwn = ({ score, rate: from, pointsPerTenfold }: Omit<OwnCurve, 'trust'>, rate: number): number =>
  score + pointsPerTenfold * Math.log10(from / rate)

/**
 * The worse of both curves, as far as the own one is believed: it asks for more than the model's, never for less.
 * @param shipped what the model's curve asks for, with its caution
 * @param rate how often a single comparison may go wrong; people who were measured need no caution
 */
export const worseOf = (curve: OwnCurve, shipped: number, rate: number): number =>
  shipped + curve.trust * Math.max(0, scoreAmongOwn(curve, rate) - shipped)
