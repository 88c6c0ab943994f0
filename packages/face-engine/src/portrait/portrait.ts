/**
 * Drawn people, for the demo and for tests without photographs. A face engine finds exactly one face in each and tells them apart,
 * but drawn faces are closer to each other than real ones: they prove that the parts work together, not how well faces are recognised.
 */
import sharp from 'sharp'
import { HEIGHT, WIDTH, drawPortrait } from './drawing.ts'
import { randomOf } from './random.ts'
import { shotOf, traitsOf } from './traits.ts'
import type { Gender } from './traits.ts'

export interface PortraitOptions {
  /** Draws this gender, whatever the seed would have chosen. */
  gender?: Gender
}

/**
 * Seeds of six persons whose drawings, in any of their photographs, lie farther apart than a door's default distance: these behave as
 * real people do. Any other two drawn people may pass for each other at a door, though the right one still comes nearest.
 */
export const DISTINCT_PORTRAITS = [70, 16, 205, 180, 239, 218] as const

/** The gender a seed draws when none is asked for. */
export const portraitGender = (seed: number | string): Gender => traitsOf(seed).gender

/** The first photograph of a drawn person. @returns a JPEG, 400 × 500; the same seed and options give the same bytes */
export function portrait(seed: number | string, options: PortraitOptions = {}): Promise<Buffer> {
  return portraitVariant(seed, 0, options)
}

/** Another photograph of the same person: other clothes, background, lean and smile. @param variant 0 is `portrait` itself */
export async function portraitVariant(seed: number | string, variant: number, { gender }: PortraitOptions = {}): Promise<Buffer> {
  const shot = shotOf(seed, variant)
  const drawing = await sharp(Buffer.from(drawPortrait(traitsOf(seed, gender), shot)))
    .removeAlpha()
    .raw()
    .toBuffer()
  return sharp(grained(drawing, shot.grain), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** A camera's noise: without it a drawn face is too smooth to pass for sharp. */
function grained(pixels: Uint8Array, seed: string): Uint8Array {
  const random = randomOf(seed)
  const out = new Uint8ClampedArray(pixels.length)
  for (let i = 0; i < pixels.length; i += 3) {
    const noise = (random.next() + random.next() - 1) * 11
    for (let c = 0; c < 3; c++) out[i + c] = pixels[i + c]! + noise
  }
  return new Uint8Array(out.buffer)
}
