/** Pixels as a network takes them: one plane for each colour. */

export interface PlaneForm {
  /** Of the square picture. */
  side: number
  channels: 'rgb' | 'bgr'
  scale: number
  mean: number
}

/** @param pixels side × side × red, green, blue @returns three planes of (value − mean) · scale */
export function planesOf(pixels: Uint8Array, { side, channels, scale, mean }: PlaneForm): Float32Array {
  const area = side * side
  const planes = new Float32Array(3 * area)
  for (let plane = 0; plane < 3; plane++) {
    const colour = channels === 'rgb' ? plane : 2 - plane
    for (let i = 0, from = colour, to = plane * area; i < area; i++, from += 3, to++) planes[to] = (pixels[from]! - mean) * scale
  }
  return planes
}
