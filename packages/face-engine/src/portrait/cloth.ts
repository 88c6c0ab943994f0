/** Pieces of cloth: how they lie on each other, fold and are sewn. */
import { HEIGHT, WIDTH, blurred, draw, filled, lay, plane } from './canvas.ts'
import type { Canvas, Plane } from './canvas.ts'
import type { Colour } from './colour.ts'
import { lightAt } from './light.ts'
import type { Light, Surface } from './light.ts'
import type { Place } from './place.ts'
import { randomOf } from './random.ts'
import { curve, hill, mirrored, smooth } from './shapes.ts'
import type { Point } from './shapes.ts'

const CLOTH: Surface = { skin: false, gloss: 0.012, sharp: 6 }

/** One piece of cloth. */
export interface Panel {
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
export interface Wardrobe {
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

/** Lays a piece of cloth on what is there: its shadow first, then itself. */
export function lie(
  { on, place, light, fold, shadow }: Wardrobe,
  { outline, cloth, thick = 1, shadow: thrown = 0.5, folds = 1, rib = 0 }: Panel,
): void {
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
      const ny =
        -0.55 +
        0.5 * smooth(170, 260, low) +
        (soft[at - WIDTH]! - soft[below]!) * 1.3 * thick +
        (fold[at - WIDTH]! - fold[below]!) * 0.5 * folds
      const dark = shadow[at]! * 0.7
      lightAt(light, nx, ny, (1 - dark * 0.4) * (0.9 + here * 0.05 * folds), 1 - dark, CLOTH, lit)
      lay(on, at, cloth[0] * lit[0]! + lit[3]!, cloth[1] * lit[1]! + lit[3]!, cloth[2] * lit[2]! + lit[3]!, cover)
    }
  }
}

/** Soft ridges that run from the arms towards the neck, the same for one shot. */
export function foldsOf(place: Place, seed: string): Plane {
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
        if (Math.abs(across) < wide * 3.4)
          height[y * WIDTH + x] = height[y * WIDTH + x]! + high * hill(dx * cos + dy * sin, across, long, wide)
      }
    }
  }
  return height
}

/** A line sewn or pressed into cloth. */
export function seam({ on, place }: Wardrobe, points: readonly Point[], dark: number, width = 1.1): void {
  draw(on, { points: curve(points, 24).map(place.toPicture), width: () => width, paint: () => [0.01, 0.01, 0.015, dark] })
}

/** @param size millimetres from its middle to its edge */
export function button({ on, place }: Wardrobe, x: number, y: number, tone: Colour, size = 2): void {
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

/** The same piece on either side. @param panel as it lies on the right */
export function bothLie(wardrobe: Wardrobe, panel: Panel): void {
  lie(wardrobe, { ...panel, outline: mirrored(panel.outline) })
  lie(wardrobe, panel)
}
