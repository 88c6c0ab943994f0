/** What a model's distances mean: its measured curve of errors, and scores that mean the same for every model. */
import { scoreOfRate } from '@gatehouse/contract'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'

/** Errors of a model at one distance. */
export interface CalibrationPoint {
  /** Euclidean; of a model compared by cosine, of its embeddings at unit length. */
  distance: number
  /** Of pairs of different people, the share at most this far apart. */
  falseMatchRate: number
  /** Of pairs of one person, the share farther apart; null where nobody measured it. */
  falseNonMatchRate: number | null
}

export interface Calibration {
  /** By rising distance, and so by rising rate; at least two. */
  curve: readonly CalibrationPoint[]
  /**
   * The same of the mean of two photographs' embeddings at unit length, then of three; absent where photographs are
   * compared one by one.
   */
  means?: readonly (readonly CalibrationPoint[])[] | undefined
  /** Distance from which the score is 0. */
  unlike: number
  /** Rate of false matches recommended for each purpose. */
  recommended: Readonly<Record<FacePurpose, number>>
  /** False: guessed from what the publisher says of the model. */
  measured: boolean
  /** What the curve was measured on. */
  source: string
}

/**
 * Score and distance of each point of the curve, from the nearest outwards. Below its first point the scale goes on as steeply as it runs
 * there: curves fall faster the nearer they come to nothing, so a rarer mistake is asked for than is said, never a commoner one.
 */
function scaleOf({ curve, unlike }: Calibration): { distance: number; score: number }[] {
  const points = curve.map(({ distance, falseMatchRate }) => ({ distance, score: scoreOfRate(falseMatchRate) }))
  const [first, second] = points as [(typeof points)[0], (typeof points)[0]]
  const steepness = (first.score - second.score) / (second.distance - first.distance)
  return [{ distance: 0, score: first.score + first.distance * steepness }, ...points, { distance: unlike, score: 0 }]
}

/**
 * Similarity from 0 up: falls steadily with the distance, never rounded, so that comparing scores is comparing distances. It passes 100,
 * one false match in a million, and ends with the same picture twice: what is asked of a door of thousands lies there.
 */
export function scoreOf(calibration: Calibration, distance: number): number {
  const scale = scaleOf(calibration)
  const at = scale.findIndex((point) => distance <= point.distance)
  if (at < 0) return 0
  const [from, to] = [scale[at - 1] ?? scale[0]!, scale[at]!]
  return from === to ? to.score : from.score + ((distance - from.distance) / (to.distance - from.distance)) * (to.score - from.score)
}

/** The distance of a score, the way back: what a threshold set as a score means to a search. @param score from 0 */
export function distanceOfScore(calibration: Calibration, score: number): number {
  const scale = scaleOf(calibration)
  const at = scale.findIndex((point) => score >= point.score)
  const [from, to] = [scale[at - 1] ?? scale[0]!, scale[at] ?? scale.at(-1)!]
  return from === to ? to.distance : from.distance + ((score - from.score) / (to.score - from.score)) * (to.distance - from.distance)
}

/** Share of pairs of one person that miss a score, between the points of the curve; null where the curve does not say. */
export function falseNonMatchAt({ curve }: Calibration, score: number): number | null {
  const scale = curve.map(({ falseMatchRate, falseNonMatchRate }) => ({ score: scoreOfRate(falseMatchRate), missed: falseNonMatchRate }))
  const at = scale.findIndex((point) => score >= point.score)
  const [from, to] = [scale[at - 1], scale[at]]
  if (to === undefined || to.missed === null || score === to.score) return to?.missed ?? null
  if (from === undefined || from.missed === null) return null
  return from.missed + ((score - from.score) / (to.score - from.score)) * (to.missed - from.missed)
}

/** Score a purpose asks for unless set otherwise. */
export const recommendedScore = ({ recommended }: Calibration, purpose: FacePurpose): number => scoreOfRate(recommended[purpose])

/** Up to this distance several photographs handed in for one person count as that person: only a gross mistake is refused. */
export const samePersonDistance = (calibration: Calibration): number => distanceOfScore(calibration, scoreOfRate(1e-2))

/**
 * Up to this distance two faces stem from one picture, however it was cut and made smaller: a third of what is taken
 * for one person. With the former built-in model and 45 people the picture of a passage was 0.07 to 0.19 from the
 * photograph it was taken of, 0.22 to 0.60 from another one, and the limit 0.21; with others it is the same share, and
 * was not counted.
 */
export const samePictureDistance = (calibration: Calibration): number => samePersonDistance(calibration) / 3

/** Points of score by which the nearest leads the next. */
export const leadOf = (calibration: Calibration, nearest: number, next: number): number =>
  scoreOf(calibration, nearest) - scoreOf(calibration, next)

/** Whether a curve speaks of a rate at all: below its first point it is only continued. */
export const speaksOf = ({ curve }: Calibration, falseMatchRate: number): boolean => falseMatchRate >= curve[0]!.falseMatchRate
