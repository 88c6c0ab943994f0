/** How far somebody stands from the camera, by how large the face is in the picture. */
import type { PhotoAnalysis } from '@gatehouse/face-engine'

/** Metres from ear to ear; adults differ by about a tenth. */
const FACE_WIDTH = 0.16
/** Tangent of half the horizontal angle of view, 60 degrees, of an ordinary webcam. */
const HALF_VIEW = Math.tan(Math.PI / 6)

/**
 * Share of the picture's width that a face takes at a distance: of a pinhole camera, `face / (2 · distance · tan(angle / 2))`.
 * A face that takes less is farther away. @param distance metres
 */
const smallestShare = (distance: number): number => FACE_WIDTH / (2 * distance * HALF_VIEW)

/** Whether the face stands within a distance; anybody does where none is set. @param distance metres */
export function isWithin({ faces: [face], width }: Pick<PhotoAnalysis, 'faces' | 'width'>, distance: number | null): boolean {
  return distance === null || face === undefined || face.box.width / width >= smallestShare(distance)
}
