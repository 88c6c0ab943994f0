/** Boxes and polygons in a picture. */
import type { Box, Point } from '@gatehouse/face-engine'

/** Width and height of a picture, in pixels. */
export interface Size {
  width: number
  height: number
}

export const centreOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })

/** Return the side of a square as large as a box. */
export const sideOf = ({ width, height }: Box): number => Math.sqrt(width * height)

/** Return the area that two boxes share, as part of what they cover together: 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const across = Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x))
  const down = Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))
  const both = across * down
  return both / (a.width * a.height + b.width * b.height - both)
}

/** Return the part of a box that lies inside a picture, 0 to 1. */
export function insideOf({ x, y, width, height }: Box, picture: Size): number {
  const across = Math.max(0, Math.min(x + width, picture.width) - Math.max(x, 0))
  const down = Math.max(0, Math.min(y + height, picture.height) - Math.max(y, 0))
  return (across * down) / (width * height)
}

/** Return whether a point lies inside a polygon, whose last corner is joined to its first: by the edges to the right of the point. */
export function isInside({ x, y }: Point, polygon: readonly Point[]): boolean {
  let inside = false
  for (const [index, a] of polygon.entries()) {
    const b = polygon.at(index - 1)!
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside
  }
  return inside
}
