/** How long a scale bar is and what it says. */
export type Units = 'metric' | 'imperial'

const FOOT = 0.3048
const MILE = 1609.344
/** Metres a pixel of a web map spans at the equator at zoom 0. */
const EQUATOR = 156_543.033_92

/** Metres a pixel spans. @param latitude degrees */
export const metresPerPixel = (latitude: number, zoom: number): number => (EQUATOR * Math.cos((latitude * Math.PI) / 180)) / 2 ** zoom

export interface Scale {
  pixels: number
  /** With `unit`, as it is said: 200 m. */
  length: number
  unit: 'm' | 'km' | 'ft' | 'mi'
}

/** The longest bar of a round length that fits. @param perPixel metres a pixel spans */
export function scaleFor(perPixel: number, units: Units, room: number): Scale {
  const large = units === 'metric' ? 1000 : MILE
  const small = units === 'metric' ? 1 : FOOT
  const inLarge = (perPixel * room) / large >= 1
  const size = inLarge ? large : small
  const most = (perPixel * room) / size
  const power = 10 ** Math.floor(Math.log10(most))
  const length = ([5, 2, 1].find((step) => step * power <= most) ?? 1) * power
  return { pixels: (length * size) / perPixel, length, unit: units === 'metric' ? (inLarge ? 'km' : 'm') : inLarge ? 'mi' : 'ft' }
}
