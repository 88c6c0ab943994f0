/** The light of the studio: a large soft lamp from the upper left, a weak one from the right, a bright room around. */
import { WIDTH, blurred, plane } from './canvas.ts'
import type { Plane, Rows } from './canvas.ts'
import type { Colour } from './colour.ts'
import { clamp, smooth } from './shapes.ts'

type Direction = readonly [number, number, number]

const unit = (x: number, y: number, z: number): Direction => {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

export interface Light {
  lamp: Direction
  /** Halfway between the lamp and the camera: where a shiny surface reflects the lamp. */
  gleam: Direction
}

/** @param deviation as `Shot.light` */
export function lightOf(deviation: number): Light {
  const lamp = unit(-0.42 + deviation, -0.5, 0.9)
  return { lamp, gleam: unit(lamp[0], lamp[1], lamp[2] + 1) }
}

const FILL = unit(0.8, -0.05, 0.62)
const BEHIND = unit(0.86, -0.3, -0.25)
const LAMP_COLOUR: Colour = [1.04, 1, 0.95]
const ROOM_COLOUR: Colour = [0.94, 0.98, 1.06]
/** Skin warms the light it returns from its hollows. */
const ROOM_ON_SKIN: Colour = [1.1, 1, 0.92]

/** How far each colour of the light travels inside the skin: red comes out again where the surface already turns away. */
const SCATTER: Colour = [0.42, 0.24, 0.17]
const MATT: Colour = [0.12, 0.12, 0.12]

/** What a surface does with the light. */
export interface Surface {
  skin: boolean
  /** Share of light reflected as from a mirror, and how narrow that reflection is. */
  gloss: number
  sharp: number
}

/**
 * Light that reaches a place, for each colour, and the gleam that is added to it.
 * @param normal of the surface, not necessarily of length 1 @param open share of the room's light that reaches the place
 * @param lit share of the lamp's light that reaches it
 */
export function lightAt(
  { lamp, gleam }: Light,
  nx: number,
  ny: number,
  open: number,
  lit: number,
  surface: Surface,
  out: Float64Array,
): void {
  const z = 1 / Math.sqrt(nx * nx + ny * ny + 1)
  const x = nx * z
  const y = ny * z
  const towards = x * lamp[0] + y * lamp[1] + z * lamp[2]
  const fill = clamp((x * FILL[0] + y * FILL[1] + z * FILL[2] + 0.3) / 1.3)
  const behind = Math.max(0, x * BEHIND[0] + y * BEHIND[1] + z * BEHIND[2])
  const around = (fill * 0.13 + (0.74 - 0.14 * y) * 0.27) * open
  const rim = behind * behind * 0.3 * open
  const reaching = Math.max(lit, 0)
  const scatter = surface.skin ? SCATTER : MATT
  for (let c = 0; c < 3; c++) {
    const direct = clamp((towards + scatter[c]!) / (1 + scatter[c]!))
    // Shadows on skin have a red seam, where light that entered beside them comes out.
    const here = surface.skin ? reaching + (1 - reaching) * reaching * (scatter[c]! - 0.17) : reaching
    out[c] = direct * Math.sqrt(direct) * here * 0.86 * LAMP_COLOUR[c]! + around * (surface.skin ? ROOM_ON_SKIN : ROOM_COLOUR)[c]! + rim
  }
  const mirror = Math.max(0, x * gleam[0] + y * gleam[1] + z * gleam[2])
  const grazing = (1 - z) * (1 - z)
  out[3] = surface.gloss * (mirror ** surface.sharp * reaching * 1.3 + grazing * grazing * 0.8 * open)
}

/** Share of the room's light that hollows leave: places lower than what surrounds them are darker. @param depth millimetres */
export function openness(depth: Plane, rows: Rows): Plane {
  const open = plane()
  const [near, far] = [blurred(depth, 4, rows), blurred(depth, 11, rows)]
  for (let at = rows.top * WIDTH; at < rows.bottom * WIDTH; at++) {
    const hollow = Math.max(0, near[at]! - depth[at]!) * 0.2 + Math.max(0, far[at]! - depth[at]!) * 0.07
    open[at] = 1 / (1 + hollow)
  }
  return open
}

/** Steps towards the lamp that a shadow is looked for in, pixels apart. */
const STEPS = [2, 4, 7, 11, 16, 22, 30] as const

/** Measures the share of the lamp's light that reaches places past what stands out between. The lamp is large: shadows have soft edges. */
export function shadowsOf(depth: Plane, { lamp }: Light, scale: number): (at: number) => number {
  const flat = Math.hypot(lamp[0], lamp[1])
  const ways = STEPS.map((step) => ({
    to: Math.round((lamp[1] / flat) * step) * WIDTH + Math.round((lamp[0] / flat) * step),
    rise: ((lamp[2] / flat) * step) / scale,
    far: scale / step,
  }))
  return (at) => {
    let steepest = -1
    for (const { to, rise, far } of ways) steepest = Math.max(steepest, ((depth[at + to] ?? 0) - depth[at]! - rise) * far)
    return 1 - smooth(0, 0.6, steepest) * 0.75
  }
}
