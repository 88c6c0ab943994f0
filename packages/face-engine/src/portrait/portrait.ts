/**
 * Drawn people, for the demo and for tests without photographs. A face engine finds exactly one face in each and tells them apart,
 * but drawn faces are closer to each other than real ones: they prove that the parts work together, not how well faces are recognised.
 */
import sharp from 'sharp'
import { HEIGHT, WIDTH } from './canvas.ts'
import { drawPortrait } from './drawing.ts'
import { shotOf } from './shot.ts'
import { traitsOf } from './traits.ts'
import type { Gender } from './traits.ts'

export interface PortraitOptions {
  /** Draws this gender, whatever the seed would have chosen. */
  gender?: Gender
}

/**
 * Seeds of six persons whose drawings, in any of their photographs, lie farther apart than a door's default distance: these behave as
 * real people do. The first two would not even pass for one person in a registration; the last two would. Any other
 * two drawn people may pass for each other at a door, though the right one still comes nearest.
 */
export const DISTINCT_PORTRAITS = [660, 1199, 1411, 958, 394, 619] as const

/** The gender a seed draws when none is asked for. */
export const portraitGender = (seed: number | string): Gender => traitsOf(seed).gender

/** The first photograph of a drawn person. @returns a JPEG, 400 × 500; the same seed and options give the same bytes */
export function portrait(seed: number | string, options: PortraitOptions = {}): Promise<Buffer> {
  return portraitVariant(seed, 0, options)
}

/** Another photograph of the same person: other clothes, background, lean and smile. @param variant 0 is `portrait` itself */
export async function portraitVariant(seed: number | string, variant: number, { gender }: PortraitOptions = {}): Promise<Buffer> {
  const pixels = drawPortrait(traitsOf(seed, gender), shotOf(seed, variant), String(seed))
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
}
