/** What a drawn person looks like (the same in every photograph) and how one photograph of them was taken. */
import { randomOf } from './random.ts'

export type Gender = 'female' | 'male'

export type HairStyle = 'long' | 'wavy' | 'bob' | 'bun' | 'pixie' | 'fringe' | 'sidePart' | 'crew' | 'quiff' | 'curls' | 'receding' | 'bald'

/** Lengths are pixels of the 480 × 600 drawing. */
export interface Traits {
  gender: Gender
  skin: string
  hair: string
  iris: string
  hairStyle: HairStyle
  faceWidth: number
  jaw: number
  chin: number
  chinY: number
  eyeSpacing: number
  eyeY: number
  eyeWidth: number
  eyeHeight: number
  eyeTilt: number
  creased: boolean
  browY: number
  browThickness: number
  browArch: number
  noseWidth: number
  noseLength: number
  mouthWidth: number
  lipFullness: number
  glasses: 'none' | 'round' | 'square' | 'thin'
  beard: 'none' | 'stubble' | 'short' | 'moustache'
  /** 0 young to 1 old. */
  age: number
  freckles: boolean
  earrings: boolean
}

export interface Shot {
  background: readonly [string, string]
  clothes: 'crew' | 'shirt' | 'blazer' | 'vneck' | 'turtleneck'
  cloth: string
  accent: string
  /** Degrees of lean. */
  lean: number
  zoom: number
  shiftX: number
  shiftY: number
  /** 0 serious to 1 smiling. */
  smile: number
  /** Pixels the irises look aside. */
  gaze: number
  grain: string
}

const SKINS = ['#f6d7c3', '#f3cdb0', '#eec39f', '#e8b890', '#dba67c', '#c68a60', '#a46c48', '#7d4e34'] as const
const DARK_HAIR = ['#17120f', '#1f1814', '#2b1e17', '#38261b'] as const
const LIGHT_HAIR = ['#4a3122', '#6a4429', '#8a5a33', '#b88a4f', '#d0a868'] as const
const GREY_HAIR = ['#8d8c8a', '#b9b7b3', '#6d6c6b'] as const
const DARK_EYES = ['#3a2416', '#4a2d1a', '#2c1b12'] as const
const LIGHT_EYES = ['#5b7a8c', '#6f8a5a', '#7a5a33', '#4f7186'] as const
const BACKGROUNDS = [
  ['#dfe7ee', '#b9c7d4'],
  ['#e9e4da', '#cfc4b2'],
  ['#d6e4df', '#a9c4ba'],
  ['#e6dfea', '#c3b6cf'],
  ['#f0f1f3', '#d3d7dc'],
  ['#cfdcec', '#9db4cf'],
  ['#efe2d6', '#d8bfa8'],
  ['#d9dde0', '#aeb6bc'],
] as const
const CLOTHS = [
  '#2f4158',
  '#4d5b6b',
  '#7a3b3f',
  '#35594f',
  '#584a73',
  '#8a6a45',
  '#2d2f36',
  '#5f7f9c',
  '#a8574f',
  '#6f7d57',
  '#c2a27a',
  '#3f6f7a',
] as const
const OLDER_STYLES = ['sidePart', 'crew', 'receding', 'receding', 'bald'] as const
const YOUNGER_STYLES = ['sidePart', 'sidePart', 'crew', 'quiff', 'curls', 'crew'] as const

/** @param gender leaves the rest of the person as the seed has it */
export function traitsOf(seed: number | string, gender?: Gender): Traits {
  const random = randomOf(`person ${seed}`)
  const drawn = random.pick(['female', 'male'] as const)
  const sex = gender ?? drawn
  const female = sex === 'female'
  const tone = Math.floor(random.next() ** 1.25 * SKINS.length)
  const age = random.next() ** 1.6
  const fair = tone < 3 && random.chance(0.45)
  const grey = age > 0.72 && random.chance(0.8)
  const style = female
    ? random.pick(['long', 'long', 'wavy', 'bob', 'bun', 'pixie', 'fringe'] as const)
    : random.pick(age > 0.6 ? OLDER_STYLES : YOUNGER_STYLES)
  return {
    gender: sex,
    skin: SKINS[tone]!,
    hair: grey ? random.pick(GREY_HAIR) : fair ? random.pick(LIGHT_HAIR) : random.pick(DARK_HAIR),
    iris: fair && random.chance(0.6) ? random.pick(LIGHT_EYES) : random.pick(DARK_EYES),
    hairStyle: style,
    faceWidth: random.between(90, 108) - (female ? 4 : 0),
    jaw: random.between(62, 84) - (female ? 8 : 0),
    chin: random.between(24, 44) - (female ? 5 : 0),
    chinY: random.between(396, 418),
    eyeSpacing: random.between(41, 51),
    eyeY: random.between(256, 268),
    eyeWidth: random.between(20, 26),
    eyeHeight: random.between(9, 14) + (female ? 1 : 0),
    eyeTilt: random.between(-1, 4.5),
    creased: random.chance(0.6),
    browY: random.between(24, 33),
    browThickness: random.between(5, 10) - (female ? 2 : 0),
    browArch: random.between(3, 9),
    noseWidth: random.between(17, 27) - (female ? 2 : 0),
    noseLength: random.between(56, 72),
    mouthWidth: random.between(31, 43),
    lipFullness: random.between(7, 13) + (female ? 2 : 0),
    glasses: random.chance(0.28) ? random.pick(['round', 'square', 'thin'] as const) : 'none',
    beard: !female && random.chance(0.38) ? random.pick(['stubble', 'short', 'moustache'] as const) : 'none',
    age,
    freckles: fair && random.chance(0.4),
    earrings: female && random.chance(0.4),
  }
}

/** @param variant 0 is the first photograph */
export function shotOf(seed: number | string, variant: number): Shot {
  const random = randomOf(`shot ${seed} ${variant}`)
  return {
    background: random.pick(BACKGROUNDS),
    clothes: random.pick(['crew', 'shirt', 'blazer', 'vneck', 'turtleneck'] as const),
    cloth: random.pick(CLOTHS),
    accent: random.pick(['#f4f5f7', '#e8eef5', '#f6efe6', '#dfe6ea'] as const),
    lean: random.between(-3.5, 3.5),
    zoom: random.between(0.95, 1.04),
    shiftX: random.between(-8, 8),
    shiftY: random.between(-5, 6),
    smile: random.between(0.15, 1),
    gaze: random.between(-1.2, 1.2),
    grain: `grain ${seed} ${variant}`,
  }
}
