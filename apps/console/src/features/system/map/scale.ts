/** Length and text of a scale bar. */
export type Units = 'metric' | 'imperial'

const FOOT = 0.3048
const MILE = 1609.344
/** Metres per pixel of a web map at the equator at zoom 0. */
const EQUATOR = 156_543.033_92

/** Return the metres per pixel. @param latitude degrees */
export const metresPerPixel = (latitude: number, zoom: number): number => (EQUATOR * Math.cos((latitude * Math.PI) / 180)) / 2 ** zoom

export interface Scale {
  pixels: number
  /** Number before `unit`: 200 m. */
  length: number
  unit: 'm' | 'km' | 'ft' | 'mi'
}

/** Return the longest bar of a round length that fits. @param perPixel metres per pixel */
export function scaleFor(perPixel: number, units: Units, room: number): Scale {
  const large = units === 'metric' ? 1000 : MILE
  const small = units === 'metric' ? 1 : FOOT
  const [largeUnit, smallUnit] = units === 'metric' ? (['km', 'm'] as const) : (['mi', 'ft'] as const)
  const inLarge = (perPixel * room) / large >= 1
  const size = inLarge ? large : small
  const most = (perPixel * room) / size
  const power = 10 ** Math.floor(Math.log10(most))
  const length = ([5, 2, 1].find((step) => step * power <= most) ?? 1) * power
  return { pixels: (length * size) / perPixel, length, unit: inLarge ? largeUnit : smallUnit }
}
