/** Where a millimetre of the head lies in the picture, and back. */
import { HEIGHT } from './canvas.ts'
import type { Rows } from './canvas.ts'
import type { Shot } from './shot.ts'
import type { Point } from './shapes.ts'

/** Pixels of a millimetre: from the crown to the chin a head fills three fifths of the picture. */
const SCALE = 1.19
/** Where the middle between the pupils lies in an upright, unmoved picture. */
const MIDDLE = { x: 202, y: 218 }
/** The head leans around the top of the neck. */
const PIVOT = 130

export interface Place {
  /** Pixels of a millimetre. */
  scale: number
  toPicture(point: Point): Point
  /** Which place of the head lies at a pixel: how far right of its middle, and how far below the pupils. */
  across(x: number, y: number): number
  down(x: number, y: number): number
}

/** @param lean radians; 0 for the body, which stays upright */
export function placeOf({ shiftX, shiftY, zoom }: Shot, lean: number): Place {
  const scale = SCALE * zoom
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)]
  const [left, top] = [MIDDLE.x + shiftX, MIDDLE.y + shiftY + PIVOT * SCALE]
  return {
    scale,
    toPicture: ({ x, y }) => ({
      x: left + scale * (cos * x - sin * (y - PIVOT)),
      y: top + scale * (sin * x + cos * (y - PIVOT)),
    }),
    across: (x, y) => (cos * (x - left) + sin * (y - top)) / scale,
    down: (x, y) => PIVOT + (cos * (y - top) - sin * (x - left)) / scale,
  }
}

/** Rows between two heights of the head, in millimetres, with room for its lean. */
export function rowsBetween(place: Place, from: number, to: number): Rows {
  const LEAN = 6
  const row = (y: number) => Math.min(Math.max(Math.round(place.toPicture({ x: 0, y }).y), 1), HEIGHT - 1)
  return { top: row(from - LEAN), bottom: row(to + LEAN) }
}
