/** What is darker than skin in a face without being an eye: brows, nostrils, the line between the lips, a beard. */
import { WIDTH, draw, lay } from './canvas.ts'
import type { Canvas } from './canvas.ts'
import { colour, mixed, times } from './colour.ts'
import type { Colour } from './colour.ts'
import { seamOf } from './relief.ts'
import type { Place } from './place.ts'
import { randomOf } from './random.ts'
import { clamp, hill, mix, smooth } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { HeadInPicture } from './skin.ts'
import type { Traits } from './traits.ts'

const HOLE = colour('#2a0f0b')
const SEAM = colour('#4a1814')

export function paintNoseAndMouth(on: Canvas, face: HeadInPicture, traits: Traits, { smile }: Shot): void {
  const { noseLength, noseWidth, mouthWidth, askew } = traits
  const mouth = noseLength + traits.mouth
  for (let at = face.rows.top * WIDTH; at < face.rows.bottom * WIDTH; at++) {
    const y = face.down[at]!
    if (face.inside[at] === 0 || y < noseLength - 12 || y > mouth + 10) continue
    const x = face.across[at]!
    const side = Math.abs(x)
    if (side > mouthWidth + 6) continue
    const nostril = smooth(
      1.25,
      0.4,
      Math.hypot((side - noseWidth * 0.44) / (noseWidth * 0.24), (y - noseLength + 1.2 + (side / noseWidth) * 1.4) / 2.1),
    )
    if (nostril > 0) lay(on, at, HOLE[0], HOLE[1], HOLE[2], nostril * 0.72)
    const wing = hill(side - noseWidth * 1.02, y - noseLength + 4.5, 0.9, 3.6)
    if (wing > 0.02) lay(on, at, SEAM[0], SEAM[1], SEAM[2], wing * 0.3)
    const share = x / mouthWidth
    const off = y - seamOf(share, mouth, smile) - askew * 0.5 * share
    const thick = 0.62 + 0.5 * hill(share, 0, 0.5, 1)
    const seam = Math.exp(-((off / thick) ** 2)) * smooth(1.08, 0.9, Math.abs(share))
    const corner = 0.5 * hill(Math.abs(share) - 1.01, (off + 0.4) / 20, 0.04, 0.07)
    const dark = clamp(seam * 0.82 + corner)
    if (dark > 0.01) lay(on, at, SEAM[0], SEAM[1], SEAM[2], dark)
  }
}

/** Where a brow runs. @param along 0 at its inner end, 1 at the outer @param across −1 on its upper edge, 1 on the lower */
const browPoint = (
  { eyeSpacing, browHeight, browWidth, browThickness, browArch, browSlope, askew }: Traits,
  side: number,
  along: number,
  across: number,
): Point => {
  const thick = (browThickness / 2) * (0.72 + 0.4 * hill(along - 0.3, 0, 0.3, 1)) * (1 - 0.75 * smooth(0.55, 1.02, along))
  return {
    x: side * (eyeSpacing + 1 + browWidth * (along * 2 - 1)),
    y:
      browHeight +
      side * askew * 0.8 -
      browArch * hill(along - 0.64, 0, 0.24, 1) +
      browSlope * (along - 0.5) +
      smooth(0.6, 1, along) * 2.5 +
      across * thick,
  }
}

export function paintBrows(on: Canvas, face: HeadInPicture, traits: Traits, place: Place, seed: string): void {
  const random = randomOf(`brows ${seed}`)
  const hair = browColour(traits)
  for (const side of [-1, 1]) {
    const at = (along: number, across: number) => {
      const { x, y } = browPoint(traits, side, along, across)
      return face.toPicture(x, y)
    }
    for (const across of [-0.45, 0, 0.45]) {
      const points = Array.from({ length: 14 }, (_, i) => at(0.02 + (i / 13) * 0.94, across))
      draw(on, {
        points,
        width: (along) => traits.browThickness * 0.5 * place.scale * (1 - 0.6 * along),
        paint: (along) => [...hair, 0.42 * smooth(-0.08, 0.25, along) * smooth(1.02, 0.75, along)],
      })
    }
    for (let i = 0; i < 170; i++) {
      const along = random.between(0, 0.97)
      const across = random.between(-1, 1)
      const long = random.between(0.09, 0.17)
      const points = [0, 0.33, 0.67, 1].map((t) =>
        at(
          along + long * t * mix(0.35, 1, smooth(0, 0.25, along)),
          across - t * mix(0.9, 0.1, smooth(0, 0.3, along)) - t * across * 0.5 * smooth(0.2, 0.6, along),
        ),
      )
      const tone = random.between(0.7, 1.3)
      draw(on, {
        points,
        width: (t) => 1 - 0.55 * t,
        paint: (t) => [hair[0] * tone, hair[1] * tone, hair[2] * tone, (0.45 - 0.25 * t) * smooth(-0.08, 0.12, along)],
      })
    }
  }
}

function browColour({ hair, gender }: Traits): Colour {
  const own = colour(hair)
  return gender === 'female' ? mixed(own, colour('#4a3226'), 0.5) : times(own, 1)
}
