/** Five points made one by one from five others. */
import type { Landmarks, Point } from './face.ts'

type Five<From> = readonly [From, From, From, From, From]

/** Return the point `pointOf` makes of each of five, in their order. */
export const fivePoints = <From>([a, b, c, d, e]: Five<From>, pointOf: (from: From, place: number) => Point): Landmarks => [
  pointOf(a, 0),
  pointOf(b, 1),
  pointOf(c, 2),
  pointOf(d, 3),
  pointOf(e, 4),
]
