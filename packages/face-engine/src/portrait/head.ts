/** The form of a head: how far each place of the face stands out towards the camera. */
import { clamp, hill, mix, pointAlong, pointsOf, smooth } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { Traits } from './traits.ts'

export interface Head {
  /** 0 in the middle of the face, 1 on its outline, more outside. */
  reach(x: number, y: number): number
  /** Millimetres the bare skull stands out, without features. */
  skull(x: number, y: number): number
  /** Millimetres the features add. */
  relief(x: number, y: number): number
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

/** Lines of older foreheads and corners of eyes: their heights and waves, and their slopes. */
const FOREHEAD = [
  { line: -42, wave: 0.07 },
  { line: -51, wave: -0.05 },
  { line: -60, wave: 0.09 },
] as const
const CROWS_FEET = [-0.34, 0.02, 0.36] as const

/** The fold from the wing of the nose past the corner of the mouth, on the right side: how far from the middle it is on its way down. */
function cheekFold({ noseWidth, noseLength, mouthWidth, mouth }: Traits, smile: number) {
  const points = pointsOf(
    [noseWidth * 0.95, noseLength - 8],
    [noseWidth + 7.5, noseLength + 5],
    [mouthWidth + 6.5 + smile * 1.5, noseLength + mouth - 4],
    [mouthWidth + 5.5, noseLength + mouth + 8],
  )
  const PIECES = 32
  const across = Float64Array.from({ length: PIECES + 2 }, (_, i) => pointAlong(points, i / PIECES).x)
  return {
    top: noseLength - 8,
    bottom: noseLength + mouth + 8,
    acrossAt(at: number): number {
      const i = Math.floor(at * PIECES)
      return mix(across[i]!, across[i + 1]!, at * PIECES - i)
    },
  }
}

function reliefOf(traits: Traits, { smile }: Shot): Head['relief'] {
  const { age, eyeSpacing, eyeWidth, socket, browHeight, browRidge, noseLength, noseWidth, noseDepth, bridge, bridgeWidth } = traits
  const { mouthWidth, chin, chinDepth, cheekbones, cheeks, jawWidth, upperLip, lowerLip } = traits
  const mouth = noseLength + traits.mouth
  const old = smooth(34, 62, age)
  const fold = cheekFold(traits, smile)
  const tip = noseLength - 6
  const noseHeight = (y: number) => {
    const rise = smooth(-14, tip, y)
    return mix(bridge * smooth(-22, -6, y), noseDepth, rise ** 1.1) * (1 - smooth(tip - 5, noseLength + 4.5, y))
  }
  return (x, y) => {
    const side = Math.abs(x)
    let z = 0
    z += 2.5 * hill(x, y + 55, 42, 20) - 2.2 * hill(side - 60, y + 30, 9, 20)
    z += browRidge * hill(side - 27, y - browHeight - 3, 17, 6.5) + browRidge * 0.5 * hill(x, y - browHeight - 2, 9, 7)
    // Eye sockets, deepest beside the nose; the balls of the eyes with their lids in them.
    z -= socket * hill(side - eyeSpacing + 2, y - 1, 17, 10.5) + socket * 0.62 * hill(side - eyeSpacing + eyeWidth + 3, y + 1, 6, 9)
    z += 5.2 * hill(side - eyeSpacing - 0.5, y, 10.5, 7.2)
    z -= (0.5 + old * 1.5) * hill(side - eyeSpacing + 3, y - 13.5, 10, 2.6)
    z += old * 1.6 * hill(side - eyeSpacing + 1, y - 9.5, 10, 3)
    // The nose: a ridge that grows to the tip, its ball, its wings.
    if (side < 40 && y > -30 && y < 70) {
      const width = mix(bridgeWidth, noseWidth * 0.54, smooth(-14, tip + 2, y)) * mix(1, 0.8, smooth(tip, noseLength, y))
      z += noseHeight(y) * Math.exp(-((side / width) ** 2) / 2)
      z += 3.2 * hill(x, y - tip, noseWidth * 0.42, 5.5)
      z += noseDepth * 0.42 * hill(side - noseWidth * 0.74, y - (noseLength - 5.5), noseWidth * 0.24, 4.6)
      z -= 2.2 * hill(side - noseWidth * 1.12, y - (noseLength - 4), 2.4, 5.5)
    }
    // Cheeks: bone, flesh, and what a smile lifts.
    z += cheekbones * hill(side - 45, y - 22, 15, 11) + cheeks * hill(side - 43, y - 56, 15, 17)
    z += (1.5 + smile * 3.2) * hill(side - 33, y - 33 + smile * 2, 12.5, 11)
    z += 1.6 * hill(side - jawWidth * 0.86, y - 68, 11, 13)
    // The mouth stands out as a whole; the lips roll on it.
    z += 5.5 * hill(x, y - mouth + 4, 25, 19)
    if (side < mouthWidth + 24 && y > noseLength - 12 && y < chin) {
      z -= 1.3 * hill(x, y - (noseLength + 6), 2.8, 6.5)
      z += 0.55 * hill(side - 5.4, y - (noseLength + 7), 2.4, 6)
      // Each place has its nearest place of the fold, measured at the same height: the fold runs down steeply.
      const at = clamp((y - fold.top) / (fold.bottom - fold.top))
      const distance = (side - fold.acrossAt(at)) * 0.85
      z -= (0.1 + smile * 0.6 + old * 0.9) * Math.exp(-((distance / 2.9) ** 2)) * smooth(0, 0.2, at) * smooth(1, 0.72, at)
      z -= 1.4 * hill(side - mouthWidth - 1.5, y - mouth + smile * 3, 2.6, 3.2)
      z -= old * 0.7 * hill(side - mouthWidth - 4, y - mouth - 12, 3, 9)
      const along = Math.max(0, 1 - (side / mouthWidth) ** 2)
      const seam = seamOf(side / mouthWidth, mouth, smile)
      z += Math.sqrt(along) * (2.3 * hill(0, y - seam + upperLip * 0.5, 1, upperLip * 0.34) + 3.3 * hill(0, y - seam - lowerLip * 0.46, 1, lowerLip * 0.34))
      z -= Math.sqrt(along) * 1.7 * hill(0, y - seam, 1, 1.3)
      z -= 3.4 * hill(x, y - (mouth + lowerLip + 5.5), 15, 4.6)
    }
    z += chinDepth * hill(x, y - chin + 12, 15.5, 8)
    if (old > 0) {
      for (const { line, wave } of FOREHEAD) z -= old * 0.3 * hill(x * 0.9, 0, 30, 1) * hill(0, y - line + Math.sin(x * wave) * 1.4, 1, 0.9)
      for (const slope of CROWS_FEET)
        z -= old * 0.35 * smooth(eyeWidth + 2, eyeWidth + 5, side - eyeSpacing) * hill(side - eyeSpacing - eyeWidth - 7, 0, 4, 1) * hill(0, y - 2 - slope * (side - eyeSpacing - eyeWidth), 1, 0.8)
    }
    return z
  }
}

/** Height of the line between the lips. @param share 0 in the middle of the mouth, 1 at its corner */
export function seamOf(share: number, mouth: number, smile: number): number {
  const s = Math.min(Math.abs(share), 1.15)
  return mouth + 0.9 * hill(s, 0, 0.16, 1) - 0.5 * hill(s - 0.42, 0, 0.2, 1) - (smile * 6.2 - 0.7) * s ** 2.2
}
