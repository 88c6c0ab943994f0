/**
 * Is a living face before the camera, or a picture of one? The mean of what several models say of the face in more and less of its
 * surroundings. Nobody knows how often they err before a given camera: the score is for those who try it out there.
 */
import { join } from 'node:path'
import type { Box } from '../face.ts'
import type { Pixels } from '../photo.ts'
import type { LivenessModel } from './model-set.ts'
import { planesOf } from './planes.ts'
import { Network } from './runtime.ts'

export class Liveness {
  readonly #models: readonly { form: LivenessModel; network: Network }[]

  private constructor(models: readonly { form: LivenessModel; network: Network }[]) {
    this.#models = models
  }

  static async load(folder: string, forms: readonly LivenessModel[]): Promise<Liveness> {
    return new Liveness(
      await Promise.all(forms.map(async (form) => ({ form, network: await Network.load(join(folder, form.file), form.side) }))),
    )
  }

  /** @param box as the detector gave it, in the same pixels @returns 0 (a picture) to 1 (living) */
  async score(pixels: Pixels, box: Box): Promise<number> {
    let sum = 0
    for (const { form, network } of this.#models) {
      const view = surroundings(box, form.boxScale, pixels)
      const shares = await network.numbers(planesOf(stretched(pixels, view, form.side), form))
      sum += shares[form.liveClass] ?? Number.NaN
    }
    return sum / this.#models.length
  }

  async close(): Promise<void> {
    for (const { network } of this.#models) await network.close()
  }
}

/** The box `scale` times as large, or as large as the photograph allows, moved inside it; whole pixels. */
export function surroundings(box: Box, scale: number, { width, height }: { width: number; height: number }): Box {
  const times = Math.min(scale, (width - 1) / box.width, (height - 1) / box.height)
  const within = (centre: number, length: number, limit: number) => {
    const start = Math.max(0, Math.min(centre - length / 2, limit - length))
    return [Math.trunc(start), Math.trunc(start + length)] as const
  }
  const [left, right] = within(box.x + box.width / 2, box.width * times, width)
  const [top, bottom] = within(box.y + box.height / 2, box.height * times, height)
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

/**
 * Part of the photograph, stretched to a square from the four nearest pixels each: the models were trained on that, and
 * averaging would show.
 */
function stretched({ data, width }: Pixels, { x, y, width: across, height: down }: Box, side: number): Uint8Array {
  const out = new Uint8Array(side * side * 3)
  const [columns, rows] = [placesOf(across, side), placesOf(down, side)]
  for (const [row, [upper, lower, v]] of rows.entries()) {
    for (const [column, [left, right, u]] of columns.entries()) {
      for (let c = 0; c < 3; c++) {
        const at = (line: number, place: number) => data[((y + line) * width + x + place) * 3 + c]!
        const value = (at(upper, left) * (1 - u) + at(upper, right) * u) * (1 - v) + (at(lower, left) * (1 - u) + at(lower, right) * u) * v
        out[(row * side + column) * 3 + c] = Math.round(value)
      }
    }
  }
  return out
}

/** For each of `to` places the two neighbours among `from`, and the share of the second. */
function placesOf(from: number, to: number): [number, number, number][] {
  return Array.from({ length: to }, (_, i) => {
    const at = Math.max(0, Math.min(from - 1, ((i + 0.5) * from) / to - 0.5))
    const first = Math.floor(at)
    return [first, Math.min(from - 1, first + 1), at - first]
  })
}
