/** Neck, shoulders and what is worn on them. The body stays upright when the head leans. */
import { HEIGHT, WIDTH, blurred, draw, filled, lay, plane } from './canvas.ts'
import type { Canvas, Plane } from './canvas.ts'
import { colour, mixed, times } from './colour.ts'
import type { Colour } from './colour.ts'
import { lightAt } from './light.ts'
import type { Light, Surface } from './light.ts'
import type { Place } from './place.ts'
import { randomOf } from './random.ts'
import { curve, hill, mirrored, pointsOf, smooth } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { Traits } from './traits.ts'

const SKIN: Surface = { skin: true, gloss: 0.04, sharp: 10 }
const CLOTH: Surface = { skin: false, gloss: 0.012, sharp: 6 }
const METAL = colour('#c9ccd1')

/** Half the width of a neck. */
const neckWidth = ({ gender, jawWidth }: Traits) => (gender === 'female' ? 39 : 47) + (jawWidth - 55) * 0.45

/** Both halves of an outline that is drawn for the right one, from the middle outwards and back. */
const whole = (right: readonly Point[]): Point[] => [...right, ...mirrored(right).toReversed()]

export function paintNeck(on: Canvas, place: Place, traits: Traits, light: Light, shadow: Plane): void {
  const n = neckWidth(traits)
  const outline = whole(curve(pointsOf([n - 3, 40], [n - 2, 90], [n - 1, 128], [n + 3, 146], [n + 18, 162], [n + 52, 178], [170, 210], [190, 260]), 40))
  const mask = filled(outline.map(place.toPicture))
  const skin = times(colour(traits.skin), 0.9)
  const lit = new Float64Array(4)
  const male = traits.gender === 'male' ? 1 : 0.35
  for (let py = Math.floor(place.toPicture({ x: 0, y: 40 }).y); py < HEIGHT; py++) {
    for (let px = 0; px < WIDTH; px++) {
      const at = py * WIDTH + px
      if (mask[at] === 0) continue
      const x = place.across(px, py)
      const y = place.down(px, py)
      const round = Math.max(-0.97, Math.min(0.97, x / n))
      const flat = smooth(140, 175, y)
      const side = Math.abs(x)
      const strand = hill(side - 12 - (168 - y) * 0.42, 0, 6, 1) * smooth(172, 150, y) * smooth(80, 110, y)
      const nx = ((1.15 * round) / Math.sqrt(1 - round * round)) * (1 - 0.85 * flat) + Math.sign(x) * strand * 0.16
      const ny = 0.18 - 0.6 * flat + male * 0.35 * (hill(x, y - 141, 6, 4) - hill(x, y - 131, 6, 4)) + 0.35 * (hill(side - 40, y - 184 + side * 0.06, 28, 3) - hill(side - 40, y - 178 + side * 0.06, 28, 3))
      const dark = shadow[at]!
      lightAt(light, nx, ny, 1 - dark * 0.68 - 0.2 * hill(x, y - 170, 7, 8), 1 - dark * 0.92, SKIN, lit)
      lay(on, at, skin[0] * lit[0]! + lit[3]!, skin[1] * lit[1]! + lit[3]!, skin[2] * lit[2]! + lit[3]!, mask[at]!)
    }
  }
}

interface Panel {
  /** Closed, millimetres. */
  outline: readonly Point[]
  cloth: Colour
  /** How thick its edges look, and how dark a shadow it throws on what lies below. */
  thick?: number
  shadow?: number
  /** How deep its folds are. */
  folds?: number
  /** Lines of a knitted border: millimetres from one to the next along x, 0 for none. */
  rib?: number
}

/** What every piece of cloth of one picture shares. */
interface Wardrobe {
  on: Canvas
  place: Place
  light: Light
  /** Height of the folds. */
  fold: Plane
  /** Shadow of the head. */
  shadow: Plane
}

/** Planes one panel after the other is measured with. */
const spare = { mask: plane(), soft: plane(), far: plane() }

function lie({ on, place, light, fold, shadow }: Wardrobe, { outline, cloth, thick = 1, shadow: thrown = 0.5, folds = 1, rib = 0 }: Panel): void {
  const mask = filled(outline.map(place.toPicture), spare.mask)
  const heights = outline.map((point) => place.toPicture(point).y)
  const top = Math.max(10, Math.floor(Math.min(...heights)) - 2)
  const bottom = Math.min(HEIGHT, Math.ceil(Math.max(...heights)) + 10)
  const soft = blurred(mask, 3, { top, bottom }, spare.soft)
  const lit = new Float64Array(4)
  const far = thrown === 0 ? null : blurred(mask, 5, { top, bottom }, spare.far)
  if (far !== null) {
    for (let y = top; y < bottom; y++) {
      for (let x = 6; x < WIDTH; x++) {
        const at = y * WIDTH + x
        const dark = Math.min(1, far[at - 4 * WIDTH - 3]! + soft[at - WIDTH]! * 0.4) * (1 - mask[at]!) * thrown
        if (dark < 0.004) continue
        on.red[at] = on.red[at]! * (1 - dark * 0.7)
        on.green[at] = on.green[at]! * (1 - dark * 0.78)
        on.blue[at] = on.blue[at]! * (1 - dark * 0.8)
      }
    }
  }
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = y * WIDTH + x
      const cover = mask[at]!
      if (cover === 0) continue
      const right = place.across(x, y)
      const low = place.down(x, y)
      const here = fold[at]!
      const below = y === HEIGHT - 1 ? at : at + WIDTH
      const ribbed = rib === 0 ? 0 : Math.sin((right / rib) * Math.PI * 2) * 0.22
      const nx = right / 210 + (soft[at - 1]! - soft[at + 1]!) * 1.3 * thick + (fold[at - 1]! - fold[at + 1]!) * 0.5 * folds + ribbed
      const ny = -0.55 + 0.5 * smooth(170, 260, low) + (soft[at - WIDTH]! - soft[below]!) * 1.3 * thick + (fold[at - WIDTH]! - fold[below]!) * 0.5 * folds
      const dark = shadow[at]! * 0.7
      lightAt(light, nx, ny, (1 - dark * 0.4) * (0.9 + here * 0.05 * folds), 1 - dark, CLOTH, lit)
      lay(on, at, cloth[0] * lit[0]! + lit[3]!, cloth[1] * lit[1]! + lit[3]!, cloth[2] * lit[2]! + lit[3]!, cover)
    }
  }
}

/** Soft ridges that run from the arms towards the neck, the same for one shot. */
function foldsOf(place: Place, seed: string): Plane {
  const random = randomOf(seed)
  const height = plane()
  for (let i = 0; i < 15; i++) {
    const side = random.pick([-1, 1])
    const middle = place.toPicture({ x: side * random.between(40, 165), y: random.between(182, 255) })
    const turn = -side * random.between(0.5, 1.25)
    const [long, wide, high] = [random.between(18, 48), random.between(2.8, 7), random.between(-2.6, 2.6)]
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    for (let y = Math.max(0, Math.floor(middle.y - long * 2.5)); y < Math.min(HEIGHT, middle.y + long * 2.5); y++) {
      for (let x = Math.max(0, Math.floor(middle.x - long * 2.5)); x < Math.min(WIDTH, middle.x + long * 2.5); x++) {
        const dx = x - middle.x
        const dy = y - middle.y
        const across = dy * cos - dx * sin
        if (Math.abs(across) < wide * 3.4) height[y * WIDTH + x] = height[y * WIDTH + x]! + high * hill(dx * cos + dy * sin, across, long, wide)
      }
    }
  }
  return height
}

/** A line sewn or pressed into cloth. */
function seam({ on, place }: Wardrobe, points: readonly Point[], dark: number, width = 1.1): void {
  draw(on, { points: curve(points, 24).map(place.toPicture), width: () => width, paint: () => [0.01, 0.01, 0.015, dark] })
}

function button({ on, place }: Wardrobe, x: number, y: number, tone: Colour, size = 2): void {
  const centre = place.toPicture({ x, y })
  const reach = size * place.scale
  for (let py = Math.floor(centre.y - reach - 2); py < Math.min(HEIGHT, centre.y + reach + 2); py++) {
    for (let px = Math.floor(centre.x - reach - 2); px < centre.x + reach + 2; px++) {
      const [dx, dy] = [px - centre.x, py - centre.y]
      const away = Math.hypot(dx, dy) - reach
      const bright = 0.8 - ((dx + dy) / reach) * 0.14
      lay(on, py * WIDTH + px, 0, 0, 0, 0.3 * smooth(2, -0.5, Math.hypot(dx - 0.7, dy - 1) - reach))
      lay(on, py * WIDTH + px, tone[0] * bright, tone[1] * bright, tone[2] * bright, smooth(0.5, -0.5, away))
    }
  }
}

/** Shoulders up to an opening around the neck. @param opening from the middle outwards */
const garment = (n: number, opening: readonly Point[]): Point[] =>
  whole([...curve(opening, 20), ...curve(pointsOf([n + 5, 151], [n + 22, 163], [n + 58, 177], [150, 198], [186, 226], [200, 270]), 24), { x: 0, y: 270 }])

/** One leaf of a collar, on the right. @param fall how far its tip hangs down */
const leaf = (n: number, open: number, tip: number, fall: number): Point[] => [
  ...curve(pointsOf([n - 3, 132], [n - 9, 148], [open + 10, 166], [open, 175]), 12),
  ...curve(pointsOf([open + 2, 176], [open + tip * 0.5, 175 + fall * 0.6], [open + tip, 175 + fall]), 6),
  ...curve(pointsOf([open + tip + 1, 174 + fall], [n + 4, 176], [n + 13, 160], [n + 7, 146], [n - 1, 131]), 14),
]

const bothLie = (wardrobe: Wardrobe, panel: Panel) => {
  lie(wardrobe, { ...panel, outline: mirrored(panel.outline) })
  lie(wardrobe, panel)
}

/** Seeds of the folds are those of the shot: another photograph, another way to sit in one's clothes. */
export function paintClothes(on: Canvas, place: Place, traits: Traits, shot: Shot, light: Light, shadow: Plane): void {
  const wardrobe: Wardrobe = { on, place, light, shadow, fold: foldsOf(place, `folds ${shot.grain}`) }
  const n = neckWidth(traits)
  const cloth = colour(shot.cloth)
  const accent = colour(shot.accent)
  const round = (low: number) => pointsOf([0, low], [n * 0.55, low - 5], [n * 0.95, 158], [n + 4, 150])
  const vee = (low: number) => pointsOf([0, low], [n * 0.42, low - 16], [n * 0.85, 160], [n + 3, 148])
  const band = (low: number, width: number): Point[] => whole([...curve(round(low), 20), ...curve(round(low + width).map(({ x, y }, i, all) => ({ x: x + (i / (all.length - 1)) * width * 0.9, y })), 20).toReversed()])
  const shirt = (tone: Colour) => {
    lie(wardrobe, { outline: garment(n, vee(188)), cloth: tone, thick: 0.8 })
    seam(wardrobe, pointsOf([3.5, 186], [3.5, 268]), 0.2)
    bothLie(wardrobe, { outline: leaf(n, 2, 21, 22), cloth: times(tone, 1.03), folds: 0.2, thick: 0.9, shadow: 0.42 })
  }
  switch (shot.clothes) {
    case 'tee':
    case 'knit': {
      const low = shot.clothes === 'tee' ? 178 : 172
      lie(wardrobe, { outline: garment(n, round(low)), cloth })
      lie(wardrobe, { outline: band(low, shot.clothes === 'tee' ? 6 : 9), cloth: times(cloth, 0.93), rib: shot.clothes === 'tee' ? 0 : 2.6, folds: 0.15, shadow: 0.35 })
      break
    }
    case 'turtleneck':
      lie(wardrobe, { outline: garment(n, round(160)), cloth })
      lie(wardrobe, {
        outline: whole([...curve(pointsOf([0, 140], [n * 0.6, 136], [n + 1, 122]), 14), ...curve(pointsOf([n + 3, 124], [n + 4, 146], [n + 9, 160]), 8), ...curve(pointsOf([n + 8, 162], [n * 0.6, 172], [0, 176]), 10)]),
        cloth,
        rib: 3.4,
        folds: 0.3,
        thick: 1.4,
      })
      seam(wardrobe, pointsOf([-n - 3, 143], [0, 158], [n + 3, 143]), 0.22, 2)
      break
    case 'shirt':
      shirt(cloth)
      for (const y of [196, 222, 248]) button(wardrobe, 0, y, mixed(cloth, [0.9, 0.9, 0.88], 0.6), 1.7)
      break
    case 'polo':
      lie(wardrobe, { outline: garment(n, vee(190)), cloth })
      lie(wardrobe, { outline: pointsOf([-7, 180], [7, 180], [7, 236], [-7, 236]), cloth: times(cloth, 1.02), folds: 0.4, shadow: 0.2, thick: 0.5 })
      bothLie(wardrobe, { outline: leaf(n, 4, 17, 17), cloth: times(cloth, 0.94), folds: 0.2, shadow: 0.4 })
      for (const y of [196, 218]) button(wardrobe, 0, y, mixed(cloth, [0.8, 0.8, 0.78], 0.5), 1.6)
      break
    case 'uniform':
      shirt(cloth)
      for (const y of [196, 222, 248]) button(wardrobe, 0, y, times(cloth, 1.6), 1.6)
      bothLie(wardrobe, { outline: pointsOf([n + 34, 170], [n + 78, 184], [n + 74, 196], [n + 32, 182]), cloth: times(cloth, 1.12), folds: 0.3, shadow: 0.4 })
      for (const side of [-1, 1]) button(wardrobe, side * (n + 39), 177, METAL, 1.8)
      break
    case 'jacket':
      lie(wardrobe, { outline: garment(n, round(174)), cloth: accent, folds: 0.6 })
      bothLie(wardrobe, {
        outline: [...curve(pointsOf([n - 1, 130], [n + 1, 150], [26, 188], [12, 226], [9, 270]), 20), ...curve(pointsOf([200, 270], [186, 226], [150, 197], [n + 58, 175], [n + 22, 160], [n + 11, 143], [n + 3, 128]), 24)],
        cloth,
        thick: 1.3,
      })
      bothLie(wardrobe, { outline: [...curve(pointsOf([n - 1, 130], [n + 1, 150], [26, 188]), 10), ...curve(pointsOf([38, 196], [n + 10, 166], [n + 12, 146], [n + 3, 128]), 12)], cloth: times(cloth, 1.15), folds: 0.2, shadow: 0.4 })
      for (const side of [-1, 1]) draw(on, { points: curve(pointsOf([side * 27, 188], [side * 13, 226], [side * 10, 268]), 20).map(place.toPicture), width: () => 2, paint: () => [METAL[0] * 0.45, METAL[1] * 0.45, METAL[2] * 0.45, 0.8] })
      break
    case 'blazer':
    case 'suit': {
      const tie = shot.clothes === 'suit' && traits.gender === 'male'
      if (tie) {
        shirt(accent)
        const silk = mixed(times(cloth, 1.5), colour(shot.backdrop[1] === '#a8988a' ? '#6d2b33' : '#2f4a78'), 0.7)
        lie(wardrobe, { outline: pointsOf([-6, 192], [6, 192], [13, 270], [-13, 270]), cloth: silk, folds: 0.2, shadow: 0.4 })
        lie(wardrobe, { outline: pointsOf([-9.5, 174], [9.5, 174], [6, 194], [-6, 194]), cloth: times(silk, 1.08), folds: 0, thick: 1.4 })
      } else if (traits.gender === 'female') lie(wardrobe, { outline: garment(n, round(186)), cloth: accent })
      else shirt(accent)
      bothLie(wardrobe, {
        outline: [...curve(pointsOf([n + 2, 144], [n - 2, 166], [34, 205], [12, 270]), 16), ...curve(pointsOf([200, 270], [186, 224], [150, 195], [n + 58, 174], [n + 22, 159], [n + 8, 142]), 24)],
        cloth,
        thick: 1.2,
      })
      bothLie(wardrobe, {
        outline: [...curve(pointsOf([n + 3, 143], [n - 3, 166], [32, 206], [11, 262]), 16), ...pointsOf([60, 240], [70, 212], [57, 208], [64, 196]), ...curve(pointsOf([n + 26, 178], [n + 18, 160], [n + 8, 142]), 8)],
        cloth: times(cloth, 1.12),
        folds: 0.25,
        shadow: 0.5,
        thick: 1.1,
      })
      break
    }
  }
}

/** The shadow the head throws on neck and shoulders. */
export function headShadow(inside: Plane, scale: number): Plane {
  const [near, far] = [blurred(inside, 5), blurred(inside, 12)]
  const shadow = plane()
  const [nearDown, farDown, aside] = [Math.round(7 * scale), Math.round(21 * scale), Math.round(5 * scale)]
  for (let y = farDown; y < HEIGHT; y++) {
    for (let x = aside; x < WIDTH; x++) {
      const at = y * WIDTH + x
      shadow[at] = Math.min(1, near[at - nearDown * WIDTH - 2]! * 0.6 + far[at - farDown * WIDTH - aside]! * 0.9)
    }
  }
  return shadow
}
