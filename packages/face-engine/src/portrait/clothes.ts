/** What people wear on a campus, from the collar to the edge of the picture. */
import type { Canvas, Plane } from './canvas.ts'
import { draw } from './canvas.ts'
import { bothLie, button, foldsOf, lie, seam } from './cloth.ts'
import type { Wardrobe } from './cloth.ts'
import { colour, mixed, times } from './colour.ts'
import type { Colour } from './colour.ts'
import type { Light } from './light.ts'
import { neckWidth } from './neck.ts'
import type { Place } from './place.ts'
import { curve, pointsOf, whole } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { Clothes, Shot } from './shot.ts'
import type { Gender, Traits } from './traits.ts'

const METAL = colour('#c9ccd1')
const BUTTON = colour('#f3f3f1')
const TIES = { cool: colour('#2f4a78'), warm: colour('#6d2b33') } as const

/** Somebody being dressed. */
interface Dressing extends Wardrobe {
  gender: Gender
  /** Half the width of the neck. */
  n: number
  cloth: Colour
  accent: Colour
  tie: Colour
}

/** Shoulders up to an opening around the neck. @param opening from the middle outwards */
const garment = (n: number, opening: readonly Point[]): Point[] =>
  whole([
    ...curve(opening, 20),
    ...curve(pointsOf([n + 5, 151], [n + 22, 163], [n + 58, 177], [150, 198], [186, 226], [200, 270]), 24),
    { x: 0, y: 270 },
  ])

/** One leaf of a collar, on the right. @param fall how far its tip hangs down */
const leaf = (n: number, open: number, tip: number, fall: number): Point[] => [
  ...curve(pointsOf([n - 3, 132], [n - 9, 148], [open + 10, 166], [open, 175]), 12),
  ...curve(pointsOf([open + 2, 176], [open + tip * 0.5, 175 + fall * 0.6], [open + tip, 175 + fall]), 6),
  ...curve(pointsOf([open + tip + 1, 174 + fall], [n + 4, 176], [n + 13, 160], [n + 7, 146], [n - 1, 131]), 14),
]

/** Openings around the neck, from the middle outwards. @param low how far they come down */
const round = (n: number, low: number) => pointsOf([0, low], [n * 0.55, low - 5], [n * 0.95, 158], [n + 4, 150])
const vee = (n: number, low: number) => pointsOf([0, low], [n * 0.42, low - 16], [n * 0.85, 160], [n + 3, 148])

/** The border of a round opening. */
function band(n: number, low: number, width: number): Point[] {
  const outer = round(n, low + width)
  return whole([
    ...curve(round(n, low), 20),
    ...curve(
      outer.map(({ x, y }, i) => ({ x: x + (i / (outer.length - 1)) * width * 0.9, y })),
      20,
    ).toReversed(),
  ])
}

function knitted(dressing: Dressing, low: number, width: number, rib: number): void {
  const { n, cloth } = dressing
  lie(dressing, { outline: garment(n, round(n, low)), cloth })
  lie(dressing, { outline: band(n, low, width), cloth: times(cloth, 0.93), rib, folds: 0.15, shadow: 0.35 })
}

/** A shirt with its collar. @param tone of the cloth */
function shirted(dressing: Dressing, tone: Colour): void {
  lie(dressing, { outline: garment(dressing.n, vee(dressing.n, 188)), cloth: tone, thick: 0.8 })
  seam(dressing, pointsOf([3.5, 186], [3.5, 268]), 0.2)
  bothLie(dressing, { outline: leaf(dressing.n, 2, 21, 22), cloth: times(tone, 1.03), folds: 0.2, thick: 0.9, shadow: 0.42 })
}

function buttoned(dressing: Dressing, heights: readonly number[], tone: Colour): void {
  for (const y of heights) button(dressing, 0, y, tone, 1.7)
}

/** An open jacket with lapels over whatever is worn below. */
function jacketed(dressing: Dressing): void {
  const { n, cloth } = dressing
  bothLie(dressing, {
    outline: [
      ...curve(pointsOf([n + 2, 144], [n - 2, 166], [34, 205], [12, 270]), 16),
      ...curve(pointsOf([200, 270], [186, 224], [150, 195], [n + 58, 174], [n + 22, 159], [n + 8, 142]), 24),
    ],
    cloth,
    thick: 1.2,
  })
  bothLie(dressing, {
    outline: [
      ...curve(pointsOf([n + 3, 143], [n - 3, 166], [32, 206], [11, 262]), 16),
      ...pointsOf([60, 240], [70, 212], [57, 208], [64, 196]),
      ...curve(pointsOf([n + 26, 178], [n + 18, 160], [n + 8, 142]), 8),
    ],
    cloth: times(cloth, 1.12),
    folds: 0.25,
    shadow: 0.5,
    thick: 1.1,
  })
}

/** What is worn below a jacket: women wear a plain top. */
function below(dressing: Dressing): void {
  const { gender, n, accent } = dressing
  if (gender === 'female') lie(dressing, { outline: garment(n, round(n, 186)), cloth: accent })
  else shirted(dressing, accent)
}

function tied(dressing: Dressing): void {
  const silk = mixed(times(dressing.cloth, 1.5), dressing.tie, 0.7)
  lie(dressing, { outline: pointsOf([-6, 192], [6, 192], [13, 270], [-13, 270]), cloth: silk, folds: 0.2, shadow: 0.4 })
  lie(dressing, { outline: pointsOf([-9.5, 174], [9.5, 174], [6, 194], [-6, 194]), cloth: times(silk, 1.08), folds: 0, thick: 1.4 })
}

const WEAR: Readonly<Record<Clothes, (dressing: Dressing) => void>> = {
  tee: (dressing) => knitted(dressing, 178, 6, 0),
  knit: (dressing) => knitted(dressing, 172, 9, 2.6),
  turtleneck: (dressing) => {
    const { n, cloth } = dressing
    lie(dressing, { outline: garment(n, round(n, 160)), cloth })
    lie(dressing, {
      outline: whole([
        ...curve(pointsOf([0, 140], [n * 0.6, 136], [n + 1, 122]), 14),
        ...curve(pointsOf([n + 3, 124], [n + 4, 146], [n + 9, 160]), 8),
        ...curve(pointsOf([n + 8, 162], [n * 0.6, 172], [0, 176]), 10),
      ]),
      cloth,
      rib: 3.4,
      folds: 0.3,
      thick: 1.4,
    })
    seam(dressing, pointsOf([-n - 3, 143], [0, 158], [n + 3, 143]), 0.22, 2)
  },
  shirt: (dressing) => {
    shirted(dressing, dressing.cloth)
    buttoned(dressing, [196, 222, 248], mixed(dressing.cloth, BUTTON, 0.6))
  },
  polo: (dressing) => {
    const { n, cloth } = dressing
    lie(dressing, { outline: garment(n, vee(n, 190)), cloth })
    lie(dressing, {
      outline: pointsOf([-7, 180], [7, 180], [7, 236], [-7, 236]),
      cloth: times(cloth, 1.02),
      folds: 0.4,
      shadow: 0.2,
      thick: 0.5,
    })
    bothLie(dressing, { outline: leaf(n, 4, 17, 17), cloth: times(cloth, 0.94), folds: 0.2, shadow: 0.4 })
    buttoned(dressing, [196, 218], mixed(cloth, BUTTON, 0.5))
  },
  uniform: (dressing) => {
    const { n, cloth } = dressing
    shirted(dressing, cloth)
    buttoned(dressing, [196, 222, 248], times(cloth, 1.6))
    bothLie(dressing, {
      outline: pointsOf([n + 34, 170], [n + 78, 184], [n + 74, 196], [n + 32, 182]),
      cloth: times(cloth, 1.12),
      folds: 0.3,
      shadow: 0.4,
    })
    for (const side of [-1, 1]) button(dressing, side * (n + 39), 177, METAL, 1.8)
  },
  jacket: (dressing) => {
    const { on, place, n, cloth, accent } = dressing
    lie(dressing, { outline: garment(n, round(n, 174)), cloth: accent, folds: 0.6 })
    bothLie(dressing, {
      outline: [
        ...curve(pointsOf([n - 1, 130], [n + 1, 150], [26, 188], [12, 226], [9, 270]), 20),
        ...curve(pointsOf([200, 270], [186, 226], [150, 197], [n + 58, 175], [n + 22, 160], [n + 11, 143], [n + 3, 128]), 24),
      ],
      cloth,
      thick: 1.3,
    })
    bothLie(dressing, {
      outline: [
        ...curve(pointsOf([n - 1, 130], [n + 1, 150], [26, 188]), 10),
        ...curve(pointsOf([38, 196], [n + 10, 166], [n + 12, 146], [n + 3, 128]), 12),
      ],
      cloth: times(cloth, 1.15),
      folds: 0.2,
      shadow: 0.4,
    })
    for (const side of [-1, 1]) {
      const zip = curve(pointsOf([side * 27, 188], [side * 13, 226], [side * 10, 268]), 20)
      draw(on, { points: zip.map(place.toPicture), width: () => 2, paint: () => [METAL[0] * 0.45, METAL[1] * 0.45, METAL[2] * 0.45, 0.8] })
    }
  },
  blazer: (dressing) => {
    below(dressing)
    jacketed(dressing)
  },
  suit: (dressing) => {
    below(dressing)
    if (dressing.gender === 'male') tied(dressing)
    jacketed(dressing)
  },
}

/** @param shadow of the head */
export function paintClothes(on: Canvas, place: Place, traits: Traits, shot: Shot, light: Light, shadow: Plane): void {
  WEAR[shot.clothes]({
    on,
    place,
    light,
    shadow,
    // Those of the shot: another photograph, another way to sit in one's clothes.
    fold: foldsOf(place, `folds ${shot.grain}`),
    gender: traits.gender,
    n: neckWidth(traits),
    cloth: colour(shot.cloth),
    accent: colour(shot.accent),
    tie: TIES[shot.tie],
  })
}
