/** How good a picture of a face is to recognise somebody by: large, sharp, looking into the camera, and whole. */
import type { Face } from '@gatehouse/face-engine'
import { insideOf, type Size } from './geometry.ts'

export type JudgedFace = Pick<Face, 'box' | 'roll' | 'yaw' | 'pitch' | 'sharpness' | 'score'>

/** Pixels of the shorter side at which a face is of no use, and from which more pixels tell nothing more. */
const SIDE = { useless: 20, ample: 90 }
/** Sharpness at which a face is of no use, and from which it is sharp. */
const SHARPNESS = { useless: 0.4, ample: 8 }
/** Degrees at which a face is turned away. */
const AWAY = { yaw: 60, pitch: 55, roll: 60 }
/** Importance of each measure. They add up to 1. */
const WEIGHTS = { size: 0.35, sharpness: 0.25, pose: 0.3, certainty: 0.1 }

const share = (value: number): number => Math.min(1, Math.max(0, value))

/**
 * Return the quality of a face, 0 to 1. The measures are multiplied: what is missing in one cannot be made up for by another.
 * @param picture size of the picture it was found in
 */
export function qualityOf({ box, roll, yaw, pitch, sharpness, score }: JudgedFace, picture: Size): number {
  const side = Math.min(box.width, box.height)
  const measures = {
    size: share((side - SIDE.useless) / (SIDE.ample - SIDE.useless)),
    sharpness: share(Math.log(sharpness / SHARPNESS.useless) / Math.log(SHARPNESS.ample / SHARPNESS.useless)),
    pose: share(1 - Math.max(Math.abs(yaw) / AWAY.yaw, Math.abs(pitch) / AWAY.pitch, Math.abs(roll) / AWAY.roll)),
    certainty: share(score),
  }
  const quality = Object.entries(WEIGHTS).reduce(
    (product, [name, weight]) => product * measures[name as keyof typeof measures] ** weight,
    1,
  )
  return quality * share(insideOf(box, picture))
}
