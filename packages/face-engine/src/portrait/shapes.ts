/** Curves and falls-off that the parts of a portrait are made of. Lengths are millimetres of a head unless a name says otherwise. */

export interface Point {
  x: number
  y: number
}

export const clamp = (value: number, low = 0, high = 1): number => (value < low ? low : value > high ? high : value)

export const mix = (from: number, to: number, share: number): number => from + (to - from) * share

/** 0 up to `from`, 1 from `to` on, without a corner in between; `from` may be the larger one. */
export function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

/** A hill of height 1 around (0, 0). @param wide, high distances at which it has fallen to 0.61 */
export function hill(x: number, y: number, wide: number, high: number): number {
  const far = (x * x) / (wide * wide) + (y * y) / (high * high)
  return far > 12 ? 0 : Math.exp(-far / 2)
}

/** A point of a Catmull-Rom curve through all points. @param at 0 the first point, 1 the last */
export function pointAlong(points: readonly Point[], at: number): Point {
  const last = points.length - 1
  const exact = clamp(at) * last
  const i = Math.min(Math.floor(exact), last - 1)
  const t = exact - i
  const [a, b, c, d] = [points[Math.max(i - 1, 0)]!, points[i]!, points[i + 1]!, points[Math.min(i + 2, last)]!]
  const between = (p: number, q: number, r: number, s: number) =>
    0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t)
  return { x: between(a.x, b.x, c.x, d.x), y: between(a.y, b.y, c.y, d.y) }
}

/** The curve through all points as a line of many. @param pieces how many straight pieces it becomes */
export const curve = (points: readonly Point[], pieces: number): Point[] =>
  Array.from({ length: pieces + 1 }, (_, i) => pointAlong(points, i / pieces))

export const pointsOf = (...coordinates: readonly (readonly [number, number])[]): Point[] => coordinates.map(([x, y]) => ({ x, y }))

/** The same points on the other side of the face. */
export const mirrored = (points: readonly Point[]): Point[] => points.map(({ x, y }) => ({ x: -x, y }))

/** Both halves of an outline that is given for the right one, from the middle outwards and back. */
export const whole = (right: readonly Point[]): Point[] => [...right, ...mirrored(right).toReversed()]
