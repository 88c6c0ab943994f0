/** Ears, seen from the front. */
import { WIDTH, lay } from './canvas.ts'
import type { Canvas, Plane } from './canvas.ts'
import { colour, mixed } from './colour.ts'
import { lightAt } from './light.ts'
import type { Light } from './light.ts'
import { rowsBetween } from './place.ts'
import type { Place } from './place.ts'
import { hill, smooth } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { Traits } from './traits.ts'

const SKIN = { skin: true, gloss: 0.03, sharp: 12 }
const GOLD = colour('#e8cf8e')
/** Half the height of an ear and where its middle is. */
const HIGH = 29
const MIDDLE = 17

export function paintEars(on: Canvas, place: Place, traits: Traits, shot: Shot, light: Light, shadow: Plane): void {
  const skin = mixed(colour(traits.skin), colour('#b5452f'), 0.14)
  const lit = new Float64Array(4)
  /** Height of the surface: the rim, the hollow within, the lobe. */
  const height = (x: number, y: number) => {
    const round = Math.hypot(x / 11, y / HIGH)
    return (
      5 * smooth(1.1, 0.75, round) - 5.5 * hill(x + 3, y + 3, 3.6, 13) + 2 * hill(x + 2, y - 20, 4, 5) - 1.5 * hill(x - 3.4, y + 6, 1.6, 12)
    )
  }
  const rows = rowsBetween(place, MIDDLE - HIGH - 4, MIDDLE + HIGH + 4)
  for (let py = rows.top; py < rows.bottom; py++) {
    for (let px = 0; px < WIDTH; px++) {
      const across = place.across(px, py)
      const side = across < 0 ? -1 : 1
      const y = place.down(px, py) - MIDDLE
      const x = across * side - traits.cheekWidth - 1.5 + shot.turn * side * 20 + y * 0.1
      if (x < -16 || x > 14 || Math.abs(y) > HIGH + 4) continue
      const lobe = 1 - 0.32 * smooth(4, 26, y)
      const cover = smooth(1.04, 0.95, Math.hypot(x / (9.5 * lobe), y / HIGH))
      if (cover === 0) continue
      const at = py * WIDTH + px
      const here = height(x, y)
      const nx = (here - height(x + 1, y)) * side + 0.35 * side
      const ny = here - height(x, y + 1)
      lightAt(light, nx, ny, 0.55 + here * 0.075, 1 - shadow[at]! * 0.8 - (side > 0 ? 0.25 : 0), SKIN, lit)
      lay(on, at, skin[0] * lit[0]! + lit[3]!, skin[1] * lit[1]! + lit[3]!, skin[2] * lit[2]! + lit[3]!, cover)
      if (traits.earrings) {
        const ring = smooth(2.1, 1.3, Math.hypot(x - 0.5, y - HIGH + 5))
        const gleam = 0.6 + 1.2 * smooth(1.4, 0, Math.hypot(x - 0.5 + side * 0.6, y - HIGH + 5.7))
        lay(on, at, GOLD[0] * gleam, GOLD[1] * gleam, GOLD[2] * gleam, ring)
      }
    }
  }
}
