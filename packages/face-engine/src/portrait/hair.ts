/** Hair as a painter lays it down: dark masses first, then locks, then single hairs that catch the light. */
import { draw } from './canvas.ts'
import type { Canvas } from './canvas.ts'
import { colour, mixed } from './colour.ts'
import type { Light } from './light.ts'
import { clamp, mix, pointAlong } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { Random } from './random.ts'

/** Hairs that lie side by side, between guides that show where they run. */
export interface Sheet {
  /** From root to tip, millimetres of the head; neighbours next to each other. */
  guides: readonly (readonly Point[])[]
  /** Share of the way at which hairs begin, lowest and highest; 0 unless said. */
  from?: readonly [number, number]
  /** Share of the way a hair is long, shortest and longest; to the end unless said. */
  span?: readonly [number, number]
  /** Share of the way at which hairs that go all of it end. */
  ends?: readonly [number, number]
  /** How densely it is painted, 1 as a full head. */
  density?: number
  /** Millimetres of wave, and how many waves. */
  wave?: readonly [number, number]
  /** Millimetres hairs stray from their lock. */
  stray?: number
  /** How much hairs gather into locks, 0 to 1. */
  clump?: number
  /** Cover of the hairs, 0 to 1; thin or shaved hair lets the skin show. */
  cover?: number
  /** Millimetres of the broadest brush. */
  brush?: number
  /** Tone of the whole sheet, 1 as the hair is. */
  tone?: number
  /** The first guide lies on the hairline, where hair is fine and sparse. */
  softEdge?: boolean
  /** How far the roots fade in. */
  fadeIn?: number
  /** How far the tips thin out; a quarter of the way unless said. */
  fadeOut?: number
}

export interface HairPaint {
  hair: string
  toPicture: (point: Point) => Point
  scale: number
  light: Light
  random: Random
}

const PIECES = 22
const ACROSS = 40

/** One layer of brush strokes: width in millimetres, how many for a full head, cover, how much of the gleam it takes. */
interface Pass {
  width: number
  count: number
  cover: number
  gleam: number
  vary: number
}

const PASSES: readonly Pass[] = [
  { width: 9, count: 90, cover: 1, gleam: 0.1, vary: 0.05 },
  { width: 2.8, count: 240, cover: 0.55, gleam: 0.5, vary: 0.25 },
  { width: 1.05, count: 460, cover: 0.5, gleam: 1.3, vary: 0.55 },
]

export function paintHair(on: Canvas, sheets: readonly Sheet[], paint: HairPaint): void {
  for (const sheet of sheets) paintSheet(on, sheet, paint)
}

function paintSheet(on: Canvas, sheet: Sheet, { hair, toPicture, scale, light, random }: HairPaint): void {
  const place = surfaceOf(sheet.guides)
  const own = colour(hair)
  const shine = mixed(own, colour('#cfc8c4'), 0.34)
  const {
    from = [0, 0.03],
    span,
    ends = [0.86, 1],
    density = 1,
    wave = [0, 0],
    stray = 1.4,
    clump = 0.5,
    cover = 1,
    brush = 9,
    tone = 1,
    fadeIn = 0,
    fadeOut = 0.25,
    softEdge = false,
  } = sheet
  const clumps = Array.from({ length: Math.round(26 * Math.sqrt(density)) + 3 }, () => ({
    at: random.next(),
    shift: random.between(0, 6.3),
    tone: random.between(0.82, 1.18),
  })).sort((a, b) => a.at - b.at)
  for (const pass of PASSES) {
    const broad = pass.width === PASSES[0]!.width
    const count = Math.round(pass.count * density)
    for (let i = 0; i < count; i++) {
      const s = broad ? (i + 0.5) / count : random.next()
      const lock = clumps.reduce((best, one) => (Math.abs(one.at - s) < Math.abs(best.at - s) ? one : best))
      const begin = broad ? 0 : random.between(from[0], from[1])
      const end = broad
        ? random.between(ends[0] - 0.04, ends[0] + 0.06)
        : span === undefined
          ? random.between(ends[0], ends[1])
          : Math.min(begin + random.between(span[0], span[1]), 1)
      const [off, turn] = [random.between(-1, 1) * stray * (broad ? 0.3 : 1), random.between(0, 6.3)]
      const hairTone = tone * lock.tone * (1 + random.between(-1, 1) * pass.vary)
      const flat: Point[] = []
      const z: number[] = []
      const pieces = span === undefined || broad ? PIECES : 7
      for (let k = 0; k <= pieces; k++) {
        const along = mix(begin, end, k / pieces)
        const pulled = mix(s, lock.at, clump * along * along * (broad ? 0.3 : 0.8))
        const p = place(pulled, along)
        const sway = Math.sin(along * wave[1] * 6.28 + lock.shift * 0.35) * wave[0] * Math.min(1, along * 2.2)
        const drift = Math.sin(along * 5 + turn) * off * (0.3 + along)
        const [x, y] = [p.x + sway + drift, p.y + drift * 0.4]
        z.push(skullDepth(x, y))
        flat.push({ x, y })
      }
      const points = flat.map(toPicture)
      const width = Math.min(pass.width, brush) * scale
      draw(on, {
        points,
        width: (at) =>
          width *
          (broad
            ? Math.min(1, 0.35 + at * 9, 0.15 + (1 - at) * (2.2 / fadeOut)) * (softEdge ? Math.min(1, 0.3 + s * 7) : 1)
            : 1 - 0.75 * Math.max(0, (at - 1 + fadeOut) / fadeOut) ** 1.5),
        paint: (at, k) => {
          const [a, b] = [flat[k - 1]!, flat[k]!]
          const [dx, dy, dz] = [b.x - a.x, b.y - a.y, z[k]! - z[k - 1]!]
          const length = Math.hypot(dx, dy, dz) || 1
          const { gleam, lamp } = light
          const across = (dx * gleam[0] + dy * gleam[1] + dz * gleam[2]) / length
          const volume = clamp(0.62 + 0.5 * ((b.x / 92) * lamp[0] + ((b.y + 30) / 120) * lamp[1] * 0.8 + 0.25))
          const other = (-dx * gleam[0] + dy * gleam[1] + dz * gleam[2]) / length
          const mirror = ((1 - across * across) ** 34 + 0.4 * (1 - other * other) ** 34) * volume * pass.gleam * 0.8
          const lit = (0.18 + 0.9 * volume * volume) * hairTone
          const much = mirror * 0.5
          const fade = (fadeIn === 0 ? 1 : clamp((at + 0.02) / fadeIn)) * (broad ? 1 : clamp((1 - at) / (fadeOut * 0.7) + 0.25))
          return [
            own[0] * lit + shine[0] * much * hairTone,
            own[1] * lit + shine[1] * much * hairTone,
            own[2] * lit + shine[2] * much * hairTone,
            pass.cover * cover * fade * (softEdge ? Math.min(1, 0.35 + s * 9) : 1),
          ]
        },
      })
    }
  }
}

/** How far the hair on the skull stands towards the camera; what hangs beside it lies at its edge. */
function skullDepth(x: number, y: number): number {
  const far = (x / 88) ** 2 + ((y + 25) / 100) ** 2
  return far < 1 ? 70 * (1 - far) ** 0.8 : 0
}

/** The places between the guides: across from the first guide to the last, along from root to tip. */
function surfaceOf(guides: Sheet['guides']): (across: number, along: number) => Point {
  const grid = guides.map((guide) => Array.from({ length: PIECES + 1 }, (_, i) => pointAlong(guide, i / PIECES)))
  const steps = Array.from({ length: PIECES + 1 }, (_, k) => grid.map((guide) => guide[k]!))
  const rows = Array.from({ length: ACROSS + 1 }, (_, i) => steps.map((neighbours) => pointAlong(neighbours, i / ACROSS)))
  return (across, along) => {
    const [i, k] = [clamp(across) * ACROSS, clamp(along) * PIECES]
    const [i0, k0] = [Math.min(Math.floor(i), ACROSS - 1), Math.min(Math.floor(k), PIECES - 1)]
    const [s, t] = [i - i0, k - k0]
    const [a, b, c, d] = [rows[i0]![k0]!, rows[i0 + 1]![k0]!, rows[i0]![k0 + 1]!, rows[i0 + 1]![k0 + 1]!]
    return {
      x: mix(mix(a.x, b.x, s), mix(c.x, d.x, s), t),
      y: mix(mix(a.y, b.y, s), mix(c.y, d.y, s), t),
    }
  }
}
