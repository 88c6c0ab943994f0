/** Skin: the colour of each place of a face, and how it looks in the light. */
import { WIDTH, lay, plane } from './canvas.ts'
import type { Canvas, Plane, Rows } from './canvas.ts'
import { colour, mixed, times } from './colour.ts'
import type { Colour } from './colour.ts'
import { seamOf } from './relief.ts'
import type { Head } from './head.ts'
import { lightAt, openness, shadowsOf } from './light.ts'
import type { Light, Surface } from './light.ts'
import { rowsBetween } from './place.ts'
import type { Place } from './place.ts'
import { randomOf } from './random.ts'
import { clamp, hill, mix, smooth } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { Shot } from './shot.ts'
import type { Traits } from './traits.ts'

const BLOOD = colour('#b5452f')
const SHADED = colour('#7d4a3a')

/** What the skin of a person is painted with. */
interface Complexion {
  skin: Colour
  flush: Colour
  lips: Colour
  hair: Colour
}

function complexionOf({ skin, hair, gender, colour: red }: Traits): Complexion {
  const base = colour(skin)
  return {
    skin: base,
    flush: mixed(base, times(BLOOD, 1.35), 0.3),
    lips: mixed(
      times(base, 0.78),
      gender === 'female' ? colour('#a8322f') : colour('#8f4a3f'),
      gender === 'female' ? 0.3 + red * 0.35 : 0.34,
    ),
    hair: colour(hair),
  }
}

/** Millimetres of skin that are one blotch. */
const BLOTCH = 9

/** Uneven colour, the same place of a face always the same. @returns about −1 to 1 */
function blotches(seed: string): (x: number, y: number) => number {
  const random = randomOf(seed)
  const SIDE = 32
  const grid = Float32Array.from({ length: SIDE * SIDE }, () => random.between(-1, 1))
  return (x, y) => {
    const gx = x / BLOTCH + SIDE / 2
    const gy = y / BLOTCH + SIDE / 2
    const i = clamp(Math.floor(gx), 0, SIDE - 2)
    const j = clamp(Math.floor(gy), 0, SIDE - 2)
    const s = smooth(0, 1, gx - i)
    const at = j * SIDE + i
    return mix(mix(grid[at]!, grid[at + 1]!, s), mix(grid[at + SIDE]!, grid[at + SIDE + 1]!, s), smooth(0, 1, gy - j))
  }
}

/** Colour of the skin at each place of the face, written to `out`. */
function colouring(traits: Traits, shot: Shot, complexion: Complexion, seed: string) {
  const { age, gender, noseLength, noseWidth, eyeSpacing, mouthWidth, chin, jawWidth, stubble, mole, upperLip, lowerLip } = traits
  const uneven = blotches(seed)
  const mouth = noseLength + traits.mouth
  const female = gender === 'female'
  const flushed = 0.16 + traits.colour * (female ? 0.3 : 0.2)
  const { skin, flush, lips, hair } = complexion
  return (x: number, y: number, out: Float64Array): number => {
    const side = Math.abs(x)
    const patch = uneven(x, y)
    let red =
      flushed * (hill(side - 38, y - 34, 17, 13) + 0.5 * hill(x, y - noseLength + 9, noseWidth, 8) + 0.3 * hill(x, y - chin + 8, 14, 9))
    red = clamp(red + patch * 0.05)
    let dark = 0.02 * patch
    dark += (0.08 + smooth(30, 60, age) * 0.1) * hill(side - eyeSpacing + 4, y - 9, 11, 5.5) + 0.1 * hill(side - eyeSpacing, y + 6, 15, 6)
    const bare = 1 - hill(x, y - mouth, mouthWidth * 0.8, 9)
    const bearded = stubble * smooth(noseLength + 3, noseLength + 12, y) * smooth(jawWidth * 0.1 - 12, 8, y - mouth + 16) * bare
    const lip = lipShare(x, y, mouth, mouthWidth, upperLip, lowerLip, shot.smile)
    const spot = mole === null ? 0 : smooth(1.5, 0.7, Math.hypot(x - mole.x, y - mole.y)) * 0.7
    for (let c = 0; c < 3; c++) {
      let value = skin[c]! + (flush[c]! - skin[c]!) * red
      value *= 1 - dark * (1 - SHADED[c]! * 0.9)
      value += (hair[c]! * 0.7 + 0.07 - value) * bearded
      value += (lips[c]! - value) * lip * 0.9
      out[c] = value * (1 - spot * 0.75)
    }
    return lip
  }
}

/** How much of a place is lip, with soft borders. */
function lipShare(x: number, y: number, mouth: number, width: number, upper: number, lower: number, smile: number): number {
  const share = Math.abs(x) / width
  if (share >= 1.02 || y < mouth - 18 || y > mouth + 22) return 0
  const along = Math.max(0, 1 - share * share)
  const seam = seamOf(share, mouth, smile)
  const bow = 1 - 0.2 * hill(share, 0, 0.13, 1) + 0.06 * hill(share - 0.26, 0, 0.14, 1)
  const top = seam - upper * along ** 0.72 * bow
  const bottom = seam + lower * along ** 0.62
  return smooth(top - 0.8, top + 0.9, y) * smooth(bottom + 1.1, bottom - 1, y)
}

const SKIN: Surface = { skin: true, gloss: 0.075, sharp: 14 }

/** A head in the picture, before it is painted: what its parts need to know. */
export interface HeadInPicture {
  /** Cover of the head, 0 to 1. */
  inside: Plane
  /** Millimetres each place stands out. */
  depth: Plane
  /** Which place of the unturned face each pixel shows. */
  across: Plane
  down: Plane
  /** Where the head is. */
  rows: Rows
  /** Where a place of the unturned face lies in the picture. */
  toPicture(x: number, y: number): Point
}

/** How far the features move aside when the head turns. @param skull millimetres at the place */
const turned = (shot: Shot, skull: number) => shot.turn * skull

export function headInPicture(head: Head, place: Place, shot: Shot): HeadInPicture {
  const [inside, depth, across, down] = [plane(), plane(), plane(), plane()]
  const rows = rowsBetween(place, -135, 140)
  for (let py = rows.top; py < rows.bottom; py++) {
    for (let px = 0; px < WIDTH; px++) {
      const x = place.across(px, py)
      const y = place.down(px, py)
      if (x < -90 || x > 90 || y < -130 || y > 140) continue
      const reach = head.reach(x, y)
      if (reach > 1.12) continue
      const at = py * WIDTH + px
      const skull = head.skull(x, y)
      const moved = x - turned(shot, skull)
      across[at] = moved
      down[at] = y
      depth[at] = skull + head.relief(moved, y) * smooth(1.04, 0.8, reach)
      inside[at] = smooth(0.8, -0.8, (reach - 1) * Math.hypot(x, y) * place.scale)
    }
  }
  return { inside, depth, across, down, rows, toPicture: (x, y) => place.toPicture({ x: x + turned(shot, head.skull(x, y)), y }) }
}

/** Paints the skin of a head. @param shadow cover of the shadow that hair throws on it */
export function paintHead(
  on: Canvas,
  face: HeadInPicture,
  place: Place,
  traits: Traits,
  shot: Shot,
  light: Light,
  shadow: Plane,
  seed: string,
): void {
  const { inside, depth, across, down, rows } = face
  const open = openness(depth, rows)
  const lamplight = shadowsOf(depth, light, place.scale)
  const paint = colouring(traits, shot, complexionOf(traits), seed)
  const [albedo, lit] = [new Float64Array(3), new Float64Array(4)]
  const surface = { ...SKIN }
  for (let py = rows.top; py < rows.bottom; py++) {
    for (let px = 1; px < WIDTH - 1; px++) {
      const at = py * WIDTH + px
      const cover = inside[at]!
      if (cover === 0) continue
      const nx = ((depth[at - 1]! - depth[at + 1]!) * place.scale) / 2
      const ny = ((depth[at - WIDTH]! - depth[at + WIDTH]!) * place.scale) / 2
      const x = across[at]!
      const y = down[at]!
      const lip = paint(x, y, albedo)
      const oily = 1 + 0.9 * hill(x, y - 20, 9, 30) + 0.5 * hill(x, y + 52, 30, 16) - 0.4 * smooth(70, 110, y)
      surface.gloss = lip > 0.3 ? 0.1 : SKIN.gloss * oily
      surface.sharp = lip > 0.3 ? 26 : SKIN.sharp
      const hidden = 1 - shadow[at]! * 0.75
      lightAt(light, nx, ny, open[at]! * (1 - shadow[at]! * 0.3), lamplight(at) * hidden, surface, lit)
      lay(on, at, albedo[0]! * lit[0]! + lit[3]!, albedo[1]! * lit[1]! + lit[3]!, albedo[2]! * lit[2]! + lit[3]!, cover)
    }
  }
}
