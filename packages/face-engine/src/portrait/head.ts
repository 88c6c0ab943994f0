/** The form of a head: how far each place of the face stands out towards the camera. */
import { reliefOf } from './relief.ts'
import type { Relief } from './relief.ts'
import { mix, pointsOf } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { Traits } from './traits.ts'

export interface Head {
  /** 0 in the middle of the face, 1 on its outline, more outside. */
  reach(x: number, y: number): number
  /** Millimetres the bare skull stands out, without features. */
  skull(x: number, y: number): number
  /** Millimetres the features add. */
  relief: Relief
}

/** From here the outline is measured: the bridge of the nose. */
const CENTRE = 6
const STEPS = 720

export function headOf(traits: Traits, shot: Shot): Head {
  const radii = outlineOf(traits)
  const reach = (x: number, y: number) => {
    const turn = (Math.atan2(Math.abs(x), y - CENTRE) / Math.PI) * (STEPS / 2)
    const i = Math.min(Math.floor(turn), STEPS / 2 - 1)
    return Math.hypot(x, y - CENTRE) / mix(radii[i]!, radii[i + 1]!, turn - i)
  }
  /** The sides of a face fall away slowly, the chin turns under abruptly. */
  const skull = (x: number, y: number) => {
    const far = Math.min(reach(x, y), 0.9995)
    if (far < 0.02) return DEPTH
    const down = Math.max(0, (y - CENTRE) / Math.hypot(x, y - CENTRE))
    return DEPTH * (1 - far ** (2.5 + 2.2 * down * down)) ** 0.62
  }
  return { reach, skull, relief: reliefOf(traits, shot) }
}

/** Millimetres from the ears forward to the face. */
const DEPTH = 78

/** How far the outline is from its centre, for each half degree from the chin up to the crown. */
function outlineOf({ templeWidth, cheekWidth, jawWidth, jawHeight, chinWidth, chin, hairline }: Traits): Float64Array {
  const right = pointsOf(
    [0, chin],
    [chinWidth, chin - 3.2],
    [mix(chinWidth, jawWidth, 0.56), mix(chin, jawHeight, 0.36)],
    [jawWidth, jawHeight],
    [mix(jawWidth, cheekWidth, 0.72), mix(jawHeight, 12, 0.46)],
    [cheekWidth, 10],
    [mix(templeWidth, cheekWidth, 0.35), -18],
    [templeWidth, -42],
    [templeWidth * 0.94, -68],
    [templeWidth * 0.66, -96],
    [0, Math.min(hairline - 32, -108)],
  )
  const polar = right.map(({ x, y }) => ({ angle: Math.atan2(x, y - CENTRE), radius: Math.hypot(x, y - CENTRE) }))
  const radii = new Float64Array(STEPS / 2 + 1)
  for (let i = 0; i < radii.length; i++) radii[i] = hermite(polar, (i / (STEPS / 2)) * Math.PI)
  return radii
}

/** A smooth curve through the radii whose slope is 0 on the chin and on the crown, where both sides meet. */
function hermite(knots: readonly { angle: number; radius: number }[], angle: number): number {
  const i = Math.max(
    0,
    knots.findLastIndex((knot, at) => at < knots.length - 1 && knot.angle <= angle),
  )
  const slope = (at: number) => {
    const [before, after] = [knots[at - 1], knots[at + 1]]
    return before && after ? (after.radius - before.radius) / (after.angle - before.angle) : 0
  }
  const [from, to] = [knots[i]!, knots[i + 1]!]
  const span = to.angle - from.angle
  const t = Math.min((angle - from.angle) / span, 1)
  return (
    (2 * t ** 3 - 3 * t ** 2 + 1) * from.radius +
    (t ** 3 - 2 * t ** 2 + t) * span * slope(i) +
    (3 * t ** 2 - 2 * t ** 3) * to.radius +
    (t ** 3 - t ** 2) * span * slope(i + 1)
  )
}
