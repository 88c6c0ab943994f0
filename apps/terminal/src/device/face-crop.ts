/** The face of a passage as a small picture, for the guard's screen. */
import type { Box } from '@gatehouse/face-engine'
import sharp from 'sharp'

/** Pixels on either side. */
const SIDE = 320
/** How much of the surroundings is shown: the square is this many times the longer side of the face. */
const MARGIN = 1.7

/**
 * A square around a face as WebP, upright, at most 320 pixels wide; it stays inside the photograph.
 * @param photo the file the face was found in
 * @param box of the upright photograph
 */
export async function faceCrop(photo: Uint8Array, box: Box, { width, height }: { width: number; height: number }): Promise<Uint8Array> {
  const side = Math.floor(Math.min(Math.max(box.width, box.height) * MARGIN, width, height))
  const within = (centre: number, length: number) => Math.round(Math.min(Math.max(centre - side / 2, 0), length - side))
  const left = within(box.x + box.width / 2, width)
  const top = within(box.y + box.height / 2, height)
  return sharp(photo)
    .autoOrient()
    .extract({ left, top, width: side, height: side })
    .resize(SIDE, SIDE, { withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 82 })
    .toBuffer()
}
