/** Eyes with their lids and lashes. */
import { WIDTH, lay } from './canvas.ts'
import type { Canvas } from './canvas.ts'
import { colour } from './colour.ts'
import { hill, smooth } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { HeadInPicture } from './skin.ts'
import type { Traits } from './traits.ts'

/** Millimetres; the same for all grown-ups. */
const IRIS = 6.1
const PUPIL = 2.1
const LASH = colour('#140d0b')
const WHITE = colour('#ddd2c9')
const CORNER = colour('#b97868')
const FOLD = colour('#6d3f31')

type Paint = [red: number, green: number, blue: number, cover: number]

function over(paint: Paint, red: number, green: number, blue: number, cover: number): void {
  const all = cover + paint[3] * (1 - cover)
  if (all === 0) return
  const share = cover / all
  paint[0] += (red - paint[0]) * share
  paint[1] += (green - paint[1]) * share
  paint[2] += (blue - paint[2]) * share
  paint[3] = all
}

const line = (distance: number, thick: number) => Math.exp(-((distance / thick) ** 2))

/** The heights of the lids over an eye. @param share −1 at the inner corner, 1 at the outer one */
function lidsOf({ eyeOpening, eyeTilt }: Traits, smile: number) {
  const base = (share: number) => -eyeTilt * 0.7 * share
  return {
    upper: (share: number) =>
      base(share) - eyeOpening * 0.6 * Math.max(0, 1 - Math.abs((share + 0.1) / (share < -0.1 ? 0.9 : 1.1)) ** 2.3) ** 0.82,
    lower: (share: number) =>
      base(share) +
      eyeOpening * (0.4 - smile * 0.07) * Math.max(0, 1 - Math.abs((share - 0.12) / (share < 0.12 ? 1.12 : 0.88)) ** 2.2) ** 0.9,
  }
}

/**
 * Paints what is at a place of an eye.
 * @param x millimetres outwards from the middle of the eye
 * @param mirrored the light comes from the inner side
 */
function eyePaint(traits: Traits, shot: Shot, side: 1 | -1) {
  const { eyeWidth, crease, gender, age } = traits
  const { upper, lower } = lidsOf(traits, shot.smile)
  const female = gender === 'female'
  const iris = colour(traits.iris)
  const bright = side === 1 ? 0.88 : 1
  const gaze = shot.gaze * side
  return (x: number, y: number, paint: Paint): void => {
    const share = x / eyeWidth
    const within = Math.min(Math.max(share, -1), 1)
    const top = upper(within)
    const bottom = lower(within)
    const under = y - top
    if (Math.abs(share) < 1) {
      const open = smooth(-0.3, 0.35, under) * smooth(-0.3, 0.35, bottom - y)
      if (open > 0) {
        const hooded = bright * (1 - 0.62 * Math.exp(-Math.max(under, 0) / 1.7)) * (1 - 0.4 * within ** 4)
        over(paint, WHITE[0] * hooded, WHITE[1] * hooded, WHITE[2] * hooded, open)
        over(paint, CORNER[0] * hooded, CORNER[1] * hooded, CORNER[2] * hooded, open * smooth(-0.78, -0.93, share))
        const dx = x - gaze
        const dy = y + 0.5
        const radius = Math.hypot(dx, dy)
        const round = smooth(IRIS + 0.4, IRIS - 0.5, radius)
        if (round > 0) {
          const glow =
            (1.5 + 3 * smooth(-2, IRIS, dy + dx * side * 0.4) * smooth(PUPIL, 4, radius)) *
            (1 - 0.72 * smooth(4.1, IRIS, radius)) *
            (0.35 + 0.65 * hooded)
          over(paint, iris[0] * glow, iris[1] * glow, iris[2] * glow, open * round)
          over(paint, 0.004, 0.003, 0.003, open * smooth(PUPIL + 0.4, PUPIL - 0.4, radius))
          const lamp = smooth(1.15, 0.45, Math.max(Math.abs(dx * side + 2), Math.abs(dy + 1.7) * 1.1))
          over(paint, 0.95, 0.96, 0.98, open * lamp * 0.8)
          over(paint, 0.5, 0.55, 0.6, open * 0.25 * hill(dx * side - 2.2, dy - 2.4, 1.1, 0.8))
        }
      }
    }
    // The lower edge of the lid is moist and catches light; its lashes are hardly seen.
    over(paint, 0.66 * bright, 0.42 * bright, 0.35 * bright, 0.3 * line(y - bottom - 0.2, 0.5) * smooth(1, 0.9, Math.abs(share)))
    over(
      paint,
      LASH[0],
      LASH[1],
      LASH[2],
      (female ? 0.26 : 0.18) * line(y - bottom - 0.9, 0.8) * smooth(-0.7, 0.5, share) * smooth(1.08, 0.9, share),
    )
    const thick = (female ? 1.15 : 0.82) * (0.55 + 0.5 * smooth(-1, 0.6, share))
    const wing = share > 1 ? (share - 1) * 5 * (female ? 1 : -0.6) : 0
    over(
      paint,
      LASH[0],
      LASH[1],
      LASH[2],
      0.93 * line(under + 0.25 + wing, thick) * smooth(-1.06, -0.93, share) * smooth(female ? 1.16 : 1.08, 0.95, share),
    )
    // The fold of the lid, or the soft shadow of a lid without one.
    const lift = crease === 0 ? 1.2 : crease * (0.72 + 0.28 * smooth(-1, 0.3, share))
    const fold = crease === 0 ? 0.22 : 0.5
    over(
      paint,
      FOLD[0],
      FOLD[1],
      FOLD[2],
      fold * line(under + lift + 0.8, crease === 0 ? 1.5 : 0.62) * smooth(-1.08, -0.75, share) * smooth(1.22, 0.85, share),
    )
    if (age > 40)
      over(
        paint,
        FOLD[0],
        FOLD[1],
        FOLD[2],
        0.16 * smooth(40, 58, age) * line(y - bottom - 5.2 + 2.2 * within ** 2, 0.9) * smooth(1, 0.5, Math.abs(share)),
      )
  }
}

/** Samples of a pixel to either side: lids are finer than pixels. */
const SAMPLES = [-0.22, 0.22] as const

export function paintEyes(on: Canvas, face: HeadInPicture, traits: Traits, shot: Shot): void {
  const paints = { right: eyePaint(traits, shot, 1), left: eyePaint(traits, shot, -1) }
  const { eyeSpacing, eyeWidth, askew } = traits
  const sample: Paint = [0, 0, 0, 0]
  for (let at = face.rows.top * WIDTH; at < face.rows.bottom * WIDTH; at++) {
    if (face.inside[at] === 0) continue
    const y = face.down[at]!
    if (y < -15 || y > 15) continue
    const x = face.across[at]!
    const out = Math.abs(x) - eyeSpacing
    if (Math.abs(out) > eyeWidth + 6) continue
    const side = x > 0 ? 1 : -1
    let red = 0
    let green = 0
    let blue = 0
    let cover = 0
    for (const dy of SAMPLES)
      for (const dx of SAMPLES) {
        sample.fill(0)
        ;(side === 1 ? paints.right : paints.left)(out + dx, y + dy + askew * 0.5 * side, sample)
        red += sample[0] * sample[3]
        green += sample[1] * sample[3]
        blue += sample[2] * sample[3]
        cover += sample[3]
      }
    if (cover > 0) lay(on, at, red / cover, green / cover, blue / cover, cover / SAMPLES.length ** 2)
  }
}
