/** How one photograph of a drawn person was taken. */
import { randomOf } from './random.ts'

export type Clothes = 'shirt' | 'polo' | 'knit' | 'tee' | 'blazer' | 'suit' | 'uniform' | 'jacket' | 'turtleneck'

export interface Shot {
  /** Light and dark side of the backdrop. */
  backdrop: readonly [string, string]
  clothes: Clothes
  cloth: string
  accent: string
  tie: 'cool' | 'warm'
  /** Radians of lean, and of a turn of the head to the picture's right. */
  lean: number
  turn: number
  zoom: number
  /** Pixels. */
  shiftX: number
  shiftY: number
  /** 0 serious to 1 smiling. */
  smile: number
  /** Millimetres the irises look aside. */
  gaze: number
  /** From which side the light comes: how far its direction deviates from the usual one. */
  light: number
  /** What the noise of the camera is drawn from. */
  grain: string
}

const BACKDROPS = [
  ['#c9d3dc', '#8e9dab'],
  ['#d9d6cf', '#a39c90'],
  ['#ccd6d2', '#8da19a'],
  ['#d6d9df', '#9aa2af'],
  ['#bfcbd9', '#7b8ea5'],
  ['#dcd5cc', '#a8988a'],
  ['#d2d4d6', '#8f9498'],
  ['#c5cfd6', '#80919d'],
] as const
const DARK = ['#22304a', '#2b2f38', '#1f3a4d', '#3a3d46', '#263a36', '#4a3238'] as const
const MUTED = ['#5d7389', '#7f8f86', '#8b7a6a', '#a08f80', '#6d6a7c', '#92564f', '#4f6f74', '#b09a78', '#d8cfc2', '#3c4f63'] as const
const PALE = ['#eef1f5', '#f4f3ef', '#dbe6f2', '#e9e4dc', '#cfdceb', '#f2e4e0'] as const
const CLOTHES: readonly Clothes[] = ['shirt', 'shirt', 'polo', 'knit', 'tee', 'blazer', 'suit', 'uniform', 'jacket', 'turtleneck']

const colours = (clothes: Clothes): readonly string[] =>
  clothes === 'shirt' ? PALE : clothes === 'suit' || clothes === 'uniform' || clothes === 'blazer' || clothes === 'jacket' ? DARK : MUTED

/** @param variant 0 is the first photograph */
export function shotOf(seed: number | string, variant: number): Shot {
  const random = randomOf(`shot ${seed} ${variant}`)
  const clothes = random.pick(CLOTHES)
  return {
    backdrop: random.pick(BACKDROPS),
    clothes,
    cloth: random.pick(colours(clothes)),
    accent: random.pick(PALE),
    tie: randomOf(`tie ${seed} ${variant}`).pick(['cool', 'cool', 'warm'] as const),
    lean: random.between(-0.045, 0.045),
    turn: random.between(-0.06, 0.06),
    zoom: random.between(0.97, 1.03),
    shiftX: random.between(-7, 7),
    shiftY: random.between(-5, 5),
    smile: random.between(0.35, 1),
    gaze: random.between(-0.5, 0.5),
    light: random.between(-0.12, 0.12),
    grain: `grain ${seed} ${variant}`,
  }
}
