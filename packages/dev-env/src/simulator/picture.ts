/** The picture simulated devices send: one for all of them. */
import { portrait } from '../portraits.ts'
import sharp from 'sharp'

/** WebP of 320 pixels, as a terminal sends it. */
export const picture = async (): Promise<Buffer> =>
  sharp(await portrait('simulated visitor'))
    .resize(320, 320)
    .webp()
    .toBuffer()
