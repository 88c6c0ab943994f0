/** What is measured on a face: angles from the mesh or the keypoints; sharpness, light and cover from the aligned chip. */
import type { Point } from '../face.ts'
import type { Pixels } from '../photo.ts'
import { CHIP_SIDE, fitSimilarity, warp } from '../warp.ts'

type Point3 = Point & { z: number }

const degrees = (radians: number) => (radians * 180) / Math.PI

/** Points of the mesh by their number in the published face mesh. */
export const MESH = {
  rightEyeOuter: 33,
  rightEyeInner: 133,
  leftEyeInner: 362,
  leftEyeOuter: 263,
  belowNose: 2,
  rightEar: 234,
  leftEar: 454,
  brow: 10,
  chin: 152,
} as const

/** Roll, yaw and pitch in degrees, as `Face` defines them. */
export function anglesOfMesh(mesh: readonly Point3[]): { roll: number; yaw: number; pitch: number } {
  const between = (from: number, to: number) => {
    const [a, b] = [mesh[from]!, mesh[to]!]
    return { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z }
  }
  const eyes = between(MESH.rightEyeOuter, MESH.leftEyeOuter)
  const across = between(MESH.rightEar, MESH.leftEar)
  const down = between(MESH.brow, MESH.chin)
  return {
    roll: degrees(Math.atan2(eyes.y, eyes.x)),
    yaw: degrees(Math.atan2(across.z, Math.hypot(across.x, across.y))),
    pitch: degrees(Math.atan2(-down.z, Math.hypot(down.x, down.y))),
  }
}

/**
 * How far the nose lies off the middle of the eyes, along the line through them, in eye distances; 0 looks straight ahead.
 * Beyond ±0.6 the nose stands outside an eye: a head in profile, which the mesh model does not know.
 */
export function noseOffset([rightEye, leftEye, nose]: readonly Point[]): number {
  const x = leftEye!.x - rightEye!.x
  const y = leftEye!.y - rightEye!.y
  const square = x * x + y * y
  if (square === 0) return 0
  return ((nose!.x - (rightEye!.x + leftEye!.x) / 2) * x + (nose!.y - (rightEye!.y + leftEye!.y) / 2) * y) / square
}

/** The upright square around a find that has no landmarks, scaled to a chip. */
export function squareChip(pixels: Pixels, { centre, side }: { centre: Point; side: number }): Uint8Array {
  const half = side / 2
  const corners = [
    { x: centre.x - half, y: centre.y - half },
    { x: centre.x + half, y: centre.y + half },
  ]
  return warp(
    pixels,
    fitSimilarity(corners, [
      { x: 0, y: 0 },
      { x: CHIP_SIDE, y: CHIP_SIDE },
    ]),
  )
}

/** A part of the chip; all numbers in its pixels. Eyes lie at a height of 47, the mouth at about 102. */
interface Area {
  left: number
  right: number
  top: number
  bottom: number
}
/** Brow to chin without background. */
const FACE: Area = { left: 35, right: 115, top: 35, bottom: 120 }
const CHEEKS: Area = { left: 45, right: 105, top: 55, bottom: 80 }
const EYES: Area = { left: 40, right: 110, top: 35, bottom: 80 }
const MOUTH: Area = { left: 55, right: 95, top: 92, bottom: 112 }
const JAW: Area = { left: 55, right: 95, top: 95, bottom: 122 }

function lumaOf(chip: Uint8Array): Float32Array {
  const luma = new Float32Array(chip.length / 3)
  for (let i = 0; i < luma.length; i++) luma[i] = 0.299 * chip[3 * i]! + 0.587 * chip[3 * i + 1]! + 0.114 * chip[3 * i + 2]!
  return luma
}

/** Mean of a value over an area. */
function meanOver({ left, right, top, bottom }: Area, value: (index: number) => number): number {
  let sum = 0
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += value(y * CHIP_SIDE + x)
  return sum / ((right - left) * (bottom - top))
}

/**
 * Variance of the second difference over the face, in the direction (across or down) that has less of it: a face moved during
 * exposure is blurred in one direction only.
 */
export function sharpnessOf(chip: Uint8Array): number {
  const luma = lumaOf(chip)
  const along = (step: number) => {
    const bend = (i: number) => luma[i - step]! + luma[i + step]! - 2 * luma[i]!
    const mean = meanOver(FACE, bend)
    return meanOver(FACE, (i) => (bend(i) - mean) ** 2)
  }
  return Math.min(along(1), along(CHIP_SIDE))
}

/** Mean luma over the face, 0 to 255. */
export function brightnessOf(chip: Uint8Array): number {
  const luma = lumaOf(chip)
  return meanOver(FACE, (i) => luma[i]!)
}

/**
 * How much the mouth and jaw look like a face's, 0 to 1: a plain cover has no lines where the mouth should be, a mask or scarf has
 * not the cheeks' colour. A beard passes both.
 */
export function lowerFaceOf(chip: Uint8Array): number {
  const luma = lumaOf(chip)
  const edges = (i: number) => Math.abs(luma[i + 1]! - luma[i]!) + Math.abs(luma[i + CHIP_SIDE]! - luma[i]!)
  const redness = (i: number) => 0.713 * (chip[3 * i]! - luma[i]!)
  const lines = meanOver(MOUTH, edges) / Math.max(1, meanOver(EYES, edges))
  const cheeks = meanOver(CHEEKS, redness)
  // A black and white photograph has no colour to compare.
  const colour = cheeks < COLOURLESS ? 1 : meanOver(JAW, redness) / cheeks
  return Math.max(0, Math.min(1, lines, colour))
}
/** Redness of skin below which a photograph counts as black and white. */
const COLOURLESS = 6

/** Angles where there are only six keypoints: a nose outside an eye stands for a head in profile. */
export function anglesOfKeypoints(keypoints: readonly Point[]): { roll: number; yaw: number; pitch: number } {
  const [rightEye, leftEye] = keypoints as [Point, Point]
  const yaw = Math.max(-90, Math.min(90, noseOffset(keypoints) * 90))
  return { roll: degrees(Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x)), yaw, pitch: 0 }
}
