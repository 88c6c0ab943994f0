/** Alignment: a face is turned, scaled and moved so that its five points lie where the embedding model expects them. */
import type { Landmarks, Point } from './face.ts'
import { fivePoints } from './five-points.ts'
import type { Pixels } from './photo.ts'

/** Maps (x, y) to (a·x − b·y + tx, b·x + a·y + ty): a turn, a scale and a shift, no shear. */
export interface Similarity {
  a: number
  b: number
  tx: number
  ty: number
}

export const CHIP_SIDE = 150
/** Room around the points, as a share of the face's own square. */
const PADDING = 0.25
/** Outer and inner corners of the eyes and the place below the nose, in the face's own square. */
export const FACE_TEMPLATE = [
  [0.1206, 0.2137],
  [0.3341, 0.2291],
  [0.6461, 0.229],
  [0.8596, 0.2135],
  [0.4901, 0.6278],
] as const

/** Where the five points lie on the chip, in pixels. */
export const CHIP_POINTS = fivePoints<readonly [number, number]>(FACE_TEMPLATE, ([x, y]) => ({
  x: ((PADDING + x) / (1 + 2 * PADDING)) * CHIP_SIDE,
  y: ((PADDING + y) / (1 + 2 * PADDING)) * CHIP_SIDE,
}))

/** The similarity that brings `from` as near to `to` as possible (least squares). Both hold the same number of points, at least two. */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const centre = (points: readonly Point[]) => ({
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  })
  const p = centre(from)
  const q = centre(to)
  let dot = 0
  let cross = 0
  let spread = 0
  for (const [i, point] of from.entries()) {
    const x = point.x - p.x
    const y = point.y - p.y
    const u = to[i]!.x - q.x
    const v = to[i]!.y - q.y
    dot += x * u + y * v
    cross += x * v - y * u
    spread += x * x + y * y
  }
  const a = spread === 0 ? 0 : dot / spread
  const b = spread === 0 ? 0 : cross / spread
  return { a, b, tx: q.x - a * p.x + b * p.y, ty: q.y - b * p.x - a * p.y }
}

export function apply({ a, b, tx, ty }: Similarity, { x, y }: Point): Point {
  return { x: a * x - b * y + tx, y: b * x + a * y + ty }
}

/** The way back. */
export function invert({ a, b, tx, ty }: Similarity): Similarity {
  const square = a * a + b * b
  return { a: a / square, b: -b / square, tx: -(a * tx + b * ty) / square, ty: (b * tx - a * ty) / square }
}

/**
 * Draws the photograph through the similarity onto `side` × `side` pixels; black where the photograph ends. Bilinear, and averaged
 * when it shrinks.
 */
export function warp({ data, width, height }: Pixels, similarity: Similarity, side = CHIP_SIDE): Uint8Array {
  const back = invert(similarity)
  const samples = Math.min(4, Math.max(1, Math.round(Math.hypot(back.a, back.b))))
  const out = new Uint8Array(side * side * 3)
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      // One sum for each colour: a loop over the colours takes twice as long.
      let red = 0
      let green = 0
      let blue = 0
      for (let s = 0; s < samples * samples; s++) {
        const u = column - 0.5 + ((s % samples) + 0.5) / samples
        const v = row - 0.5 + (Math.floor(s / samples) + 0.5) / samples
        const x = back.a * u - back.b * v + back.tx
        const y = back.b * u + back.a * v + back.ty
        const left = Math.floor(x)
        const top = Math.floor(y)
        if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
        const fx = x - left
        const fy = y - top
        const ex = 1 - fx
        const ey = 1 - fy
        const at = (top * width + left) * 3
        const below = at + width * 3
        red += (data[at]! * ex + data[at + 3]! * fx) * ey + (data[below]! * ex + data[below + 3]! * fx) * fy
        green += (data[at + 1]! * ex + data[at + 4]! * fx) * ey + (data[below + 1]! * ex + data[below + 4]! * fx) * fy
        blue += (data[at + 2]! * ex + data[at + 5]! * fx) * ey + (data[below + 2]! * ex + data[below + 5]! * fx) * fy
      }
      const at = (row * side + column) * 3
      out[at] = Math.round(red / (samples * samples))
      out[at + 1] = Math.round(green / (samples * samples))
      out[at + 2] = Math.round(blue / (samples * samples))
    }
  }
  return out
}

/** The aligned face the embedding model sees: `CHIP_SIDE` × `CHIP_SIDE` × red, green, blue. */
export const alignedChip = (pixels: Pixels, landmarks: Landmarks): Uint8Array => warp(pixels, fitSimilarity(landmarks, CHIP_POINTS))
