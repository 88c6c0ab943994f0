/** What a drawn person looks like: the same in every photograph. */
import type { Glasses } from './glasses.ts'
import type { HairCut } from './hair-cuts.ts'
import { randomOf } from './random.ts'

export type Gender = 'female' | 'male'

/**
 * Lengths are millimetres, measured as anthropometrists do: widths are halves, counted from the middle of the face; heights are counted
 * from the line of the pupils, downwards.
 */
export interface Traits {
  gender: Gender
  /** Years. */
  age: number
  skin: string
  hair: string
  iris: string
  cut: HairCut
  /** Where hair is parted, to the picture's right. */
  part: number
  /** Height of the hairline, negative. */
  hairline: number
  templeWidth: number
  cheekWidth: number
  jawWidth: number
  /** Height of the corners of the jaw. */
  jawHeight: number
  chinWidth: number
  chin: number
  /** How far the chin, the cheekbones and the flesh of the cheeks stand out. */
  chinDepth: number
  cheekbones: number
  cheeks: number
  browRidge: number
  socket: number
  eyeSpacing: number
  eyeWidth: number
  eyeOpening: number
  /** How much the outer corner is higher than the inner one. */
  eyeTilt: number
  /** Distance of the fold of the lid from its edge; 0 where there is none. */
  crease: number
  browHeight: number
  browWidth: number
  browThickness: number
  browArch: number
  /** How much the outer end of a brow is lower than the inner one. */
  browSlope: number
  noseLength: number
  noseWidth: number
  noseDepth: number
  bridge: number
  bridgeWidth: number
  mouth: number
  mouthWidth: number
  upperLip: number
  lowerLip: number
  /** Red of the lips and cheeks, 0 to 1. */
  colour: number
  /** Which side is a little higher, and by how much. */
  askew: number
  glasses: Glasses
  beard: 'none' | 'shadow' | 'moustache' | 'goatee'
  mole: { x: number; y: number } | null
  earrings: boolean
}

const SKINS = ['#f4dccb', '#f0d3be', '#ebcab2', '#e5bfa4', '#dcb294', '#d1a382'] as const
const BLACK_HAIR = ['#15110f', '#1a1412', '#1f1815', '#110e0e'] as const
const BROWN_HAIR = ['#2e1f17', '#3a261b', '#45301f'] as const
const IRISES = ['#2b1a10', '#3a2313', '#482c18', '#20140d'] as const
const WOMEN_YOUNG: readonly HairCut[] = ['long', 'long', 'waves', 'curtain', 'fringe', 'bob', 'bobFringe', 'ponytail', 'bun', 'tucked']
const WOMEN_OLD: readonly HairCut[] = ['bob', 'bob', 'short', 'short', 'permed', 'bun', 'tucked']
const MEN_YOUNG: readonly HairCut[] = ['sidePart', 'crop', 'crop', 'quiff', 'crew', 'middlePart', 'fringeMan']
const MEN_OLD: readonly HairCut[] = ['sidePart', 'crew', 'receding', 'receding', 'swept', 'bald']

/** @param gender leaves the rest of the person as the seed has it */
export function traitsOf(seed: number | string, gender?: Gender): Traits {
  const random = randomOf(`person ${seed}`)
  const drawn = random.pick(['female', 'male'] as const)
  const sex = gender ?? drawn
  const female = sex === 'female'
  const age = Math.round(22 + 40 * random.next() ** 1.5)
  /** Mostly near the middle of the range, sometimes at its ends: as people are, and far enough apart to be told from each other. */
  const about = (low: number, high: number) => mix3(low, high, (random.next() + random.next() * 0.25) / 1.25)
  const hairs = randomOf(`hair ${seed}`)
  const grey = clampShare((age - 44) / 18) * hairs.between(0.25, 1)
  const old = age > 46
  const width = about(-1, 1)
  const length = about(-1, 1)
  const extras = randomOf(`extras ${seed}`)
  return {
    gender: sex,
    age,
    skin: SKINS[Math.floor(random.next() ** (female ? 1.5 : 0.95) * SKINS.length)]!,
    hair: greyed(hairs.pick(hairs.chance(female ? 0.35 : 0.1) ? BROWN_HAIR : BLACK_HAIR), grey),
    iris: random.pick(IRISES),
    cut: female ? hairs.pick(old ? WOMEN_OLD : WOMEN_YOUNG) : hairs.pick(old ? MEN_OLD : MEN_YOUNG),
    part: hairs.pick([-1, 1]) * hairs.between(4, 30),
    hairline: about(-84, -70),
    templeWidth: 67 + width * 3 + about(-2.5, 2.5),
    cheekWidth: 70.5 + width * 4.5 - (female ? 2 : 0),
    jawWidth: (70.5 + width * 4.5) * about(0.74, 0.87) - (female ? 2.5 : 0),
    jawHeight: about(58, 74) + length * 3,
    chinWidth: about(15, 26) - (female ? 3 : 0),
    chin: 109.5 + length * 6 + about(-3, 3) - (female ? 3 : 0),
    chinDepth: about(1, 8),
    cheekbones: about(0.5, 7),
    cheeks: about(-3, 5),
    browRidge: about(0, 3.5) + (female ? 0 : 1.8),
    socket: about(3, 9),
    eyeSpacing: about(28.8, 34.6),
    eyeWidth: about(14, 16.8),
    eyeOpening: about(7.6, 11.4) + (female ? 0.8 : 0),
    eyeTilt: about(0, 4.4),
    crease: random.chance(female ? 0.7 : 0.5) ? random.between(1.4, 3.4) : 0,
    browHeight: about(-25, -17.5),
    browWidth: about(17, 21),
    browThickness: about(5.2, 9) - (female ? 1.6 : 0),
    browArch: about(0.5, 4.5),
    browSlope: about(-5, 0.8),
    noseLength: about(38, 46) + length * 2.5,
    noseWidth: about(15.5, 21.5) - (female ? 1 : 0),
    noseDepth: about(9.5, 16),
    bridge: about(0.5, 6.5),
    bridgeWidth: about(5.5, 9),
    mouth: about(20.5, 25.5),
    mouthWidth: about(22.5, 29.5),
    upperLip: about(5, 9) + (female ? 0.6 : 0),
    lowerLip: about(7.5, 12) + (female ? 0.6 : 0),
    colour: random.next(),
    askew: random.between(-1, 1),
    glasses: extras.chance(0.33) ? extras.pick(['round', 'square', 'rimless', 'square', 'browline'] as const) : 'none',
    beard: !female && extras.chance(0.2) ? extras.pick(['shadow', 'shadow', 'moustache', 'goatee'] as const) : 'none',
    mole: extras.chance(0.18) ? { x: extras.pick([-1, 1]) * extras.between(22, 44), y: extras.between(30, 84) } : null,
    earrings: female && extras.chance(0.3),
  }
}

const clampShare = (value: number) => Math.min(Math.max(value, 0), 1)
const mix3 = (low: number, high: number, share: number) => low + (high - low) * share

/** @param share 0 keeps the colour, 1 is white hair */
function greyed(hex: string, share: number): string {
  const part = (at: number, grey: number) => Math.round(parseInt(hex.slice(at, at + 2), 16) * (1 - share) + grey * share)
  return `#${[part(1, 172), part(3, 170), part(5, 168)].map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
