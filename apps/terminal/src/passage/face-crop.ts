/** The face of a passage as a small picture, for the guard's screen. */
import { faceSquare, type Box } from '@gatehouse/face-engine'
import sharp from 'sharp'

/** Pixels on either side. */
const SIDE = 320

/**
 * Return a square around a face as WebP, upright, at most 320 pixels wide.
 * @param photo the file in which the face was found
 * @param box in the upright photograph, whose size follows
 */
export async function faceCrop(photo: Uint8Array, box: Box, size: { width: number; height: number }): Promise<Uint8Array> {
  const { left, top, side } = faceSquare(box, size)
  return sharp(photo)
    .autoOrient()
    .extract({ left, top, width: side, height: side })
    .resize(SIDE, SIDE, { withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 82 })
    .toBuffer()
}
