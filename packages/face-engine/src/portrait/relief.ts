/** What the features add to the bare form of a head: hollows and hills of the face, millimetres towards the camera. */
import { clamp, hill, mix, pointAlong, pointsOf, smooth } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { Traits } from './traits.ts'

/** Millimetres at a place of the face. */
export type Relief = (x: number, y: number) => number

/** How far it stands out, where it is (on both sides of the face alike) and how wide and high it is. */
type Hill = readonly [amount: number, side: number, y: number, wide: number, high: number]

/** 0 up to the age at which a face shows none of it, 1 when it shows all. */
const agedOf = ({ age }: Traits) => smooth(34, 62, age)

export function reliefOf(traits: Traits, shot: Shot): Relief {
  const hills = sumOf(hillsOf(traits, shot))
  const nose = noseOf(traits)
  const lips = lipsOf(traits, shot)
  const folds = foldsOf(traits, shot)
  const wrinkles = agedOf(traits) > 0 ? wrinklesOf(traits) : null
  return (x, y) => hills(x, y) + nose(x, y) + lips(x, y) + folds(x, y) + (wrinkles === null ? 0 : wrinkles(x, y))
}

function hillsOf(traits: Traits, { smile }: Shot): Hill[] {
  const { eyeSpacing, eyeWidth, socket, browHeight, browRidge, noseLength, noseWidth, noseDepth } = traits
  const { mouthWidth, chin, chinDepth, cheekbones, cheeks, jawWidth, lowerLip } = traits
  const mouth = noseLength + traits.mouth
  const old = agedOf(traits)
  return [
    // Forehead, temples, the ridge under the brows.
    [2.5, 0, -55, 42, 20],
    [-2.2, 60, -30, 9, 20],
    [browRidge, 27, browHeight + 3, 17, 6.5],
    [browRidge * 0.5, 0, browHeight + 2, 9, 7],
    // Sockets, deepest beside the nose; the eyeballs under their lids; what sags below with the years.
    [-socket, eyeSpacing - 2, 1, 17, 10.5],
    [-socket * 0.62, eyeSpacing - eyeWidth - 3, -1, 6, 9],
    [5.2, eyeSpacing + 0.5, 0, 10.5, 7.2],
    [-0.5 - old * 1.5, eyeSpacing - 3, 13.5, 10, 2.6],
    [old * 1.6, eyeSpacing - 1, 9.5, 10, 3],
    // The ball of the nose, its wings and the groove around them.
    [3.2, 0, noseLength - 6, noseWidth * 0.42, 5.5],
    [noseDepth * 0.42, noseWidth * 0.74, noseLength - 5.5, noseWidth * 0.24, 4.6],
    [-2.2, noseWidth * 1.12, noseLength - 4, 2.4, 5.5],
    // Cheeks: bone, flesh, what a smile lifts, the corner of the jaw.
    [cheekbones, 45, 22, 15, 11],
    [cheeks, 43, 56, 15, 17],
    [1.5 + smile * 3.2, 33, 33 - smile * 2, 12.5, 11],
    [1.6, jawWidth * 0.86, 68, 11, 13],
    // The mouth stands out as a whole; the groove above it, its corners, the hollow below, the chin.
    [5.5, 0, mouth - 4, 25, 19],
    [-1.3, 0, noseLength + 6, 2.8, 6.5],
    [0.55, 5.4, noseLength + 7, 2.4, 6],
    [-1.4, mouthWidth + 1.5, mouth - smile * 3, 2.6, 3.2],
    [-old * 0.7, mouthWidth + 4, mouth + 12, 3, 9],
    [-3.4, 0, mouth + lowerLip + 5.5, 15, 4.6],
    [chinDepth, 0, chin - 12, 15.5, 8],
  ]
}

/** All hills at once: this is asked of every pixel of a face. */
function sumOf(hills: readonly Hill[]): Relief {
  const table = Float64Array.from(hills.flatMap(([amount, side, y, wide, high]) => [amount, side, y, 1 / (wide * wide), 1 / (high * high)]))
  return (x, y) => {
    const side = Math.abs(x)
    let sum = 0
    for (let i = 0; i < table.length; i += 5) {
      const dx = side - table[i + 1]!
      const dy = y - table[i + 2]!
      const far = dx * dx * table[i + 3]! + dy * dy * table[i + 4]!
      if (far < 12) sum += table[i]! * Math.exp(-far / 2)
    }
    return sum
  }
}

/** The ridge of the nose: from between the eyes it grows to the tip, then turns under. */
function noseOf({ noseLength, noseWidth, noseDepth, bridge, bridgeWidth }: Traits): Relief {
  const tip = noseLength - 6
  return (x, y) => {
    if (x > 40 || x < -40 || y < -30 || y > 70) return 0
    const width = mix(bridgeWidth, noseWidth * 0.54, smooth(-14, tip + 2, y)) * mix(1, 0.8, smooth(tip, noseLength, y))
    const height = mix(bridge * smooth(-22, -6, y), noseDepth, smooth(-14, tip, y) ** 1.1)
    return height * (1 - smooth(tip - 5, noseLength + 4.5, y)) * Math.exp(-((x / width) ** 2) / 2)
  }
}

/** Two rolls with a line between them. */
function lipsOf({ noseLength, mouthWidth, upperLip, lowerLip, ...traits }: Traits, { smile }: Shot): Relief {
  const mouth = noseLength + traits.mouth
  return (x, y) => {
    const along = 1 - (x / mouthWidth) ** 2
    if (along <= 0 || y < mouth - 25 || y > mouth + 32) return 0
    const below = y - seamOf(x / mouthWidth, mouth, smile)
    const upper = 2.3 * hill(0, below + upperLip * 0.5, 1, upperLip * 0.34)
    const lower = 3.3 * hill(0, below - lowerLip * 0.46, 1, lowerLip * 0.34)
    return Math.sqrt(along) * (upper + lower - 1.7 * hill(0, below, 1, 1.3))
  }
}

/** Height of the line between the lips. @param share 0 in the middle of the mouth, 1 at its corner */
export function seamOf(share: number, mouth: number, smile: number): number {
  const s = Math.min(Math.abs(share), 1.15)
  return mouth + 0.9 * hill(s, 0, 0.16, 1) - 0.5 * hill(s - 0.42, 0, 0.2, 1) - (smile * 6.2 - 0.7) * s ** 2.2
}

/** Pieces the way of a fold is measured in. */
const PIECES = 32

/** The fold from the wing of the nose past the corner of the mouth. It runs down steeply: its nearest place is taken at the same height. */
function foldsOf(traits: Traits, { smile }: Shot): Relief {
  const { noseWidth, noseLength, mouthWidth } = traits
  const mouth = noseLength + traits.mouth
  const way = pointsOf(
    [noseWidth * 0.95, noseLength - 8],
    [noseWidth + 7.5, noseLength + 5],
    [mouthWidth + 6.5 + smile * 1.5, mouth - 4],
    [mouthWidth + 5.5, mouth + 8],
  )
  const across = Float64Array.from({ length: PIECES + 2 }, (_, i) => pointAlong(way, i / PIECES).x)
  const [top, bottom] = [noseLength - 8, mouth + 8]
  const deep = 0.1 + smile * 0.6 + agedOf(traits) * 0.9
  return (x, y) => {
    const side = Math.abs(x)
    if (y < top || y > bottom || side > mouthWidth + 24) return 0
    const at = clamp((y - top) / (bottom - top))
    const i = Math.floor(at * PIECES)
    const distance = (side - mix(across[i]!, across[i + 1]!, at * PIECES - i)) * 0.85
    return -deep * Math.exp(-((distance / 2.9) ** 2)) * smooth(0, 0.2, at) * smooth(1, 0.72, at)
  }
}

/** Lines of the forehead, each with its own wave; lines at the corners of the eyes, each with its own slope. */
const FOREHEAD = [
  { height: -42, wave: 0.07 },
  { height: -51, wave: -0.05 },
  { height: -60, wave: 0.09 },
] as const
const CROWS_FEET = [-0.34, 0.02, 0.36] as const

function wrinklesOf(traits: Traits): Relief {
  const old = agedOf(traits)
  const corner = traits.eyeSpacing + traits.eyeWidth
  return (x, y) => {
    let sum = 0
    if (y < -36 && y > -66) {
      const fading = hill(x * 0.9, 0, 30, 1)
      for (const { height, wave } of FOREHEAD) sum -= old * 0.3 * fading * hill(0, y - height + Math.sin(x * wave) * 1.4, 1, 0.9)
    }
    const out = Math.abs(x) - corner
    if (out > 2 && out < 22 && y > -12 && y < 16) {
      const fading = smooth(2, 5, out) * hill(out - 7, 0, 4, 1)
      for (const slope of CROWS_FEET) sum -= old * 0.35 * fading * hill(0, y - 2 - slope * out, 1, 0.8)
    }
    return sum
  }
}
