/** Distance of a person from the camera, estimated from the size of the face in the picture. */
import type { PhotoAnalysis } from '@gatehouse/face-engine'

/** Width of a face from ear to ear in metres; adults differ by about a tenth. */
const FACE_WIDTH = 0.16
/** Tangent of half the horizontal angle of view, 60 degrees, of an ordinary webcam. */
const HALF_VIEW = Math.tan(Math.PI / 6)

/**
 * Return the share of the picture's width that a face takes at a distance; for a pinhole camera, `face / (2 · distance · tan(angle / 2))`.
 * A face that takes less is farther away. @param distance metres
 */
const smallestShare = (distance: number): number => FACE_WIDTH / (2 * distance * HALF_VIEW)

/** Return whether the face is within a distance; true if no distance is set. @param distance metres */
export function isWithin({ faces: [face], width }: Pick<PhotoAnalysis, 'faces' | 'width'>, distance: number | null): boolean {
  return distance === null || face === undefined || face.box.width / width >= smallestShare(distance)
}
