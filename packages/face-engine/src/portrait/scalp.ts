/** Where hair grows. */
import { mix, pointAlong, pointsOf } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { Traits } from './traits.ts'

/**
 * The part of a head that hair grows on, seen from the front: between the hairline and the outline.
 * @param around −1 at the left sideburn, 0 over the middle of the forehead, 1 at the right sideburn
 * @param up 0 on the hairline, 1 on the outline of the hair
 */
export type Scalp = (around: number, up: number) => Point

/** @param grow millimetres the hair stands off the skull @param back millimetres the temples have receded */
export function scalpOf({ hairline, templeWidth, cheekWidth, gender }: Traits, grow: number, back = 0): Scalp {
  /** Hairlines of women are rounder. */
  const round = gender === 'female' ? 2 : 0
  const lift = (y: number) => y - back
  const edge = pointsOf(
    [0, hairline - back * 0.4],
    [20, lift(hairline) + 0.4 + round],
    [37, lift(hairline) + 4 + round * 4],
    [50 - round * 0.5, lift(hairline + 15) + round * 5],
    [templeWidth - 7, mix(lift(hairline + 34), -38, 0.5)],
    [templeWidth - 3, -26],
    [cheekWidth - 5, -12],
    [cheekWidth - 3, 9],
  )
  const wide = templeWidth + 11 + grow * 0.55
  const high = -34 - (Math.min(hairline - 37, -113) - grow)
  const crest: Point[] = [0, 15, 30, 45, 60, 75, 90].map((degrees) => {
    const angle = (degrees / 180) * Math.PI
    return { x: wide * Math.sin(angle) ** 0.92, y: -34 - high * Math.cos(angle) ** 0.92 }
  })
  crest.push({ x: cheekWidth + 5, y: 5 })
  return (around, up) => {
    const far = Math.abs(around)
    const [inner, outer] = [pointAlong(edge, far), pointAlong(crest, far)]
    const side = around < 0 ? -1 : 1
    return { x: side * mix(inner.x, outer.x, up), y: mix(inner.y, outer.y, up) }
  }
}
