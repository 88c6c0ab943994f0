/** The neck, and the shadow the head throws on it. The body stays upright when the head leans. */
import { HEIGHT, WIDTH, blurred, filled, lay, plane } from './canvas.ts'
import type { Canvas, Plane } from './canvas.ts'
import { colour, times } from './colour.ts'
import { lightAt } from './light.ts'
import type { Light, Surface } from './light.ts'
import type { Place } from './place.ts'
import { curve, hill, pointsOf, smooth, whole } from './shapes.ts'
import type { Traits } from './traits.ts'

const SKIN: Surface = { skin: true, gloss: 0.04, sharp: 10 }

/** Half the width of a neck. */
export const neckWidth = ({ gender, jawWidth }: Traits): number => (gender === 'female' ? 39 : 47) + (jawWidth - 55) * 0.45

export function paintNeck(on: Canvas, place: Place, traits: Traits, light: Light, shadow: Plane): void {
  const n = neckWidth(traits)
  const outline = whole(
    curve(pointsOf([n - 3, 40], [n - 2, 90], [n - 1, 128], [n + 3, 146], [n + 18, 162], [n + 52, 178], [170, 210], [190, 260]), 40),
  )
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
      const ny =
        0.18 -
        0.6 * flat +
        male * 0.35 * (hill(x, y - 141, 6, 4) - hill(x, y - 131, 6, 4)) +
        0.35 * (hill(side - 40, y - 184 + side * 0.06, 28, 3) - hill(side - 40, y - 178 + side * 0.06, 28, 3))
      const dark = shadow[at]!
      lightAt(light, nx, ny, 1 - dark * 0.68 - 0.2 * hill(x, y - 170, 7, 8), 1 - dark * 0.92, SKIN, lit)
      lay(on, at, skin[0] * lit[0]! + lit[3]!, skin[1] * lit[1]! + lit[3]!, skin[2] * lit[2]! + lit[3]!, mask[at]!)
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
