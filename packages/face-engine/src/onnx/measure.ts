/** What is measured on a face that is known by five points: angles, and the chip on which light and sharpness are judged. */
import { brightnessOf, lowerFaceOf, sharpnessOf } from '../builtin/measure.ts'
import type { Box, Face, Point } from '../face.ts'
import type { Pixels } from '../photo.ts'
import { fitSimilarity, warp } from '../warp.ts'
import type { FivePoints } from './yunet.ts'

/**
 * Where the five points lie on the chip of the built-in engine: its mean over 338 faces that both engines found. So sharpness, light
 * and cover come out the same, and one set of thresholds serves both.
 */
const ON_CHIP: readonly Point[] = [
  { x: 47.4, y: 45.6 },
  { x: 101.3, y: 45.6 },
  { x: 74.5, y: 77.1 },
  { x: 50.7, y: 101.5 },
  { x: 97.9, y: 101.5 },
]

/**
 * Degrees for each unit the tip of the nose lies off the middle of the face; fitted to the angles of the face mesh, 3.4
 * degrees off on the average.
 */
const YAW_OF_NOSE = 136
/**
 * How far down the way from eyes to mouth the nose lies on a head held straight, and degrees for each unit it lies
 * higher; 7.8 degrees off.
 */
const NOSE_DOWN = 0.521
const PITCH_OF_NOSE = 131

const degrees = (radians: number) => (radians * 180) / Math.PI
const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const limited = (angle: number) => Math.max(-90, Math.min(90, angle))

/** Roll, yaw and pitch in degrees, as `Face` defines them. Yaw tells turned heads well; pitch is rough. */
export function anglesOf([rightEye, leftEye, nose, rightMouth, leftMouth]: FivePoints): { roll: number; yaw: number; pitch: number } {
  const eyes = between(rightEye, leftEye)
  const mouth = between(rightMouth, leftMouth)
  const down = { x: mouth.x - eyes.x, y: mouth.y - eyes.y }
  const length = Math.hypot(down.x, down.y)
  const roll = degrees(Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x))
  if (length === 0) return { roll, yaw: 0, pitch: 0 }
  const off = ((nose.x - eyes.x) * down.y - (nose.y - eyes.y) * down.x) / length
  const along = ((nose.x - eyes.x) * down.x + (nose.y - eyes.y) * down.y) / length ** 2
  const size = Math.hypot(length, rightEye.x - leftEye.x, rightEye.y - leftEye.y)
  return { roll, yaw: limited((off / size) * YAW_OF_NOSE), pitch: limited((NOSE_DOWN - along) * PITCH_OF_NOSE) }
}

/** Sharpness, light and cover, measured where the built-in engine measures them. */
export function lookOf(pixels: Pixels, points: FivePoints): Pick<Face, 'sharpness' | 'brightness' | 'lowerFace'> {
  const chip = warp(pixels, fitSimilarity(points, ON_CHIP))
  return { sharpness: sharpnessOf(chip), brightness: brightnessOf(chip), lowerFace: lowerFaceOf(chip) }
}

/** Height of the detector's boxes, in widths. */
const BOX_HEIGHT = 1.36

/**
 * The detector's box as `Face` defines it: without the forehead, brow to chin; and whole where the photograph ends within the face,
 * since the detector boxes what is to be seen of it.
 */
export function tightBox({ x, y, width, height }: Box, photo: { width: number; height: number }): Box {
  const touches = (edge: number) => Math.abs(edge) < 0.03 * Math.max(width, height)
  const wide = touches(x) || touches(photo.width - x - width) ? Math.max(width, height / BOX_HEIGHT) : width
  const tall = touches(y) || touches(photo.height - y - height) ? Math.max(height, width * BOX_HEIGHT) : height
  const left = touches(x) ? x + width - wide : x
  const top = touches(y) ? y + height - tall : y
  return { x: left, y: top + 0.135 * tall, width: wide, height: 0.847 * tall }
}

/**
 * What the detector's scores are worth to the rules: they crowd together, ordinary faces above 0.915, those half hidden
 * or cut off below.
 */
const CERTAINTY = [
  { score: 0, certainty: 0 },
  { score: 0.7, certainty: 0.5 },
  { score: 0.915, certainty: 0.65 },
  { score: 0.96, certainty: 1 },
] as const

/** How sure it is that this is a whole human face, on the scale of `Face.score`. */
export function certaintyOf(score: number): number {
  const at = CERTAINTY.findIndex((point) => score <= point.score)
  if (at < 0) return 1
  const [from, to] = [CERTAINTY[at - 1] ?? CERTAINTY[0], CERTAINTY[at]!]
  return from === to ? to.certainty : from.certainty + ((score - from.score) / (to.score - from.score)) * (to.certainty - from.certainty)
}
