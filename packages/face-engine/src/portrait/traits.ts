/** What a drawn person looks like: the same in every photograph. */
import { randomOf } from './random.ts'
import { clamp, mix } from './shapes.ts'

export type Gender = 'female' | 'male'

export type Glasses = 'none' | 'round' | 'square' | 'rimless' | 'browline'

export type HairCut =
  | 'long'
  | 'waves'
  | 'curtain'
  | 'fringe'
  | 'bob'
  | 'bobFringe'
  | 'ponytail'
  | 'bun'
  | 'tucked'
  | 'permed'
  | 'sidePart'
  | 'crop'
  | 'quiff'
  | 'crew'
  | 'middlePart'
  | 'fringeMan'
  | 'receding'
  | 'swept'

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
  /** How dark the roots of a beard are, 0 to 1. */
  stubble: number
  mole: { x: number; y: number } | null
  earrings: boolean
}

const SKINS = ['#f4dccb', '#f0d3be', '#ebcab2', '#e5bfa4', '#dcb294', '#d1a382'] as const
const BLACK_HAIR = ['#15110f', '#1a1412', '#1f1815', '#110e0e'] as const
const BROWN_HAIR = ['#2e1f17', '#3a261b', '#45301f'] as const
const IRISES = ['#2b1a10', '#3a2313', '#482c18', '#20140d'] as const
const WOMEN_YOUNG: readonly HairCut[] = ['long', 'long', 'waves', 'curtain', 'fringe', 'bob', 'bobFringe', 'ponytail', 'bun', 'tucked']
const WOMEN_OLD: readonly HairCut[] = ['bob', 'bob', 'permed', 'permed', 'bun', 'tucked', 'ponytail']
const MEN_YOUNG: readonly HairCut[] = ['sidePart', 'crop', 'crop', 'quiff', 'crew', 'middlePart', 'fringeMan']
const MEN_OLD: readonly HairCut[] = ['sidePart', 'crew', 'receding', 'swept', 'crew']

/** @param gender leaves the rest of the person as the seed has it */
export function traitsOf(seed: number | string, gender?: Gender): Traits {
  const random = randomOf(`person ${seed}`)
  const drawn = random.pick(['female', 'male'] as const)
  const sex = gender ?? drawn
  const female = sex === 'female'
  const age = Math.round(22 + 40 * random.next() ** 1.5)
  // All of a range equally often: real people are nearer to its middle, but these are to be distinguished.
  const about = random.between
  const hairs = randomOf(`hair ${seed}`)
  const grey = clamp((age - 44) / 18) * hairs.between(0.25, 1)
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
    hairline: about(-85, -67),
    templeWidth: 67 + width * 3 + about(-2.5, 2.5),
    cheekWidth: 70.5 + width * 5.5 - (female ? 2 : 0),
    jawWidth: (70.5 + width * 5.5) * about(0.745, 0.86) - (female ? 2.5 : 0),
    jawHeight: about(58, 74) + length * 3,
    chinWidth: about(13, 27) - (female ? 3 : 0),
    chin: 109.5 + length * 7 + about(-3, 3) - (female ? 3 : 0),
    chinDepth: about(0, 9),
    cheekbones: about(-0.5, 8),
    cheeks: about(-4.5, 6.5),
    browRidge: about(0, 4) + (female ? 0 : 1.8),
    socket: about(2.5, 10.5),
    eyeSpacing: about(28.4, 35),
    eyeWidth: about(13.2, 17.2),
    eyeOpening: about(7.2, 12) + (female ? 0.8 : 0),
    eyeTilt: about(-1, 4.8),
    crease: random.chance(female ? 0.7 : 0.5) ? random.between(1.4, 3.4) : 0,
    browHeight: about(-27, -17.5),
    browWidth: about(17, 21),
    browThickness: about(4.8, 10) - (female ? 1.6 : 0),
    browArch: about(0, 3.6) + (female ? 1.4 : 0),
    browSlope: about(-4, 1.6),
    noseLength: about(36.5, 47.5) + length * 2.5,
    noseWidth: about(14.5, 22) - (female ? 1 : 0),
    noseDepth: about(9, 17.5),
    bridge: about(0, 8),
    bridgeWidth: about(5, 9.5),
    mouth: about(19.5, 26.5),
    mouthWidth: about(21.5, 30.5),
    upperLip: about(4.2, 9.6) + (female ? 0.6 : 0),
    lowerLip: about(6.5, 12.8) + (female ? 0.6 : 0),
    colour: random.next(),
    askew: random.between(-1, 1),
    glasses: extras.chance(0.33) ? extras.pick(['round', 'square', 'rimless', 'square', 'browline'] as const) : 'none',
    stubble: female ? 0 : extras.chance(0.25) ? extras.between(0.25, 0.4) : 0.08,
    mole: extras.chance(0.18) ? { x: extras.pick([-1, 1]) * extras.between(22, 44), y: extras.between(30, 84) } : null,
    earrings: female && extras.chance(0.3),
  }
}

/** @param share 0 keeps the colour, 1 is white hair */
function greyed(hex: string, share: number): string {
  const part = (at: number, grey: number) => Math.round(mix(parseInt(hex.slice(at, at + 2), 16), grey, share))
  return `#${[part(1, 172), part(3, 170), part(5, 168)].map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
