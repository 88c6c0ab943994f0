/** How much of a photograph is shown of a face: the same everywhere, so that two faces side by side can be compared. */
import type { Box } from './face.ts'

/** The square is this many times the longer side of the face. */
const MARGIN = 1.7

export interface Square {
  left: number
  top: number
  /** Pixels on either side. */
  side: number
}

/**
 * The square around a face that is shown of it; whole pixels, inside the photograph.
 * @param box of the upright photograph
 */
export function faceSquare(box: Box, { width, height }: { width: number; height: number }): Square {
  const side = Math.max(1, Math.floor(Math.min(Math.max(box.width, box.height) * MARGIN, width, height)))
  const within = (centre: number, length: number) => Math.round(Math.min(Math.max(centre - side / 2, 0), length - side))
  return { left: within(box.x + box.width / 2, width), top: within(box.y + box.height / 2, height), side }
}
