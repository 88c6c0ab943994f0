/** Colours in linear light, so that shadows and mixtures come out as they do in nature. */

/** Red, green and blue, 0 to about 1, linear. */
export type Colour = readonly [number, number, number]

const linearOf = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** @param hex as `#c0ffee` */
export const colour = (hex: string): Colour => {
  const part = (at: number) => linearOf(parseInt(hex.slice(at, at + 2), 16) / 255)
  return [part(1), part(3), part(5)]
}

export const mixed = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

export const times = (of: Colour, by: number | Colour): Colour =>
  typeof by === 'number' ? [of[0] * by, of[1] * by, of[2] * by] : [of[0] * by[0], of[1] * by[1], of[2] * by[2]]

/** Steps of the table of tones, and the brightest linear value in it. */
const STEPS = 16384
const BRIGHTEST = 2

/** Bright tones roll off instead of clipping. */
const TONES = Float32Array.from({ length: STEPS + 1 }, (_, i) => {
  const value = (i / STEPS) * BRIGHTEST
  const soft = value < 0.6 ? value : 0.6 + 0.4 * (1 - Math.exp(-(value - 0.6) / 0.4))
  return 255 * (soft <= 0.0031308 ? soft * 12.92 : 1.055 * soft ** (1 / 2.4) - 0.055)
})

/** What a screen shows of a linear value. @returns 0 to 255, not rounded */
export const shown = (value: number): number => TONES[value <= 0 ? 0 : value >= BRIGHTEST ? STEPS : ((value / BRIGHTEST) * STEPS) | 0]!
